// Colours of terrain, of the states of cells in a search, and of values. They can be told apart with every common kind
// of colour blindness: the colours of states come from the set of Okabe and Ito and differ in lightness too; those of
// values follow viridis. Not here: what is drawn with them.

/** @typedef {[r: number, g: number, b: number]} Rgb */

const LIGHT = {
  paper: "#e9e6dc",
  walls: /** @type {Rgb} */ ([58, 66, 82]),
  ground: /** @type {Rgb} */ ([253, 251, 244]),
  heavy: /** @type {Rgb} */ ([150, 104, 52]),
  grid: "rgba(58, 66, 82, 0.16)",
  portal: "rgba(58, 66, 82, 0.2)",
  wall: "#39424f",
  corridor: "rgba(179, 38, 30, 0.16)",
  ink: "#1c2431",
  halo: "rgba(255, 255, 255, 0.9)",
  route: "#b3261e",
  walked: "#6b7280",
  start: "#007a5a",
  goal: "#b3261e",
  region: "rgba(32, 64, 140, 0.75)",
  line: "rgba(160, 40, 120, 0.75)",
  port: "#1b3f8b",
  crossing: "#8a5a00",
  way: "rgba(32, 64, 140, 0.28)",
  flash: "rgba(204, 90, 0, 0.45)",
  tree: "rgba(20, 90, 60, 0.7)",
  border: "#14101a",
  ledge: "#9c2f3f",
  link: "#5b3a9e",
  onLink: "#fff",
};

const DARK = {
  ...LIGHT,
  paper: "#0b111c",
  walls: /** @type {Rgb} */ ([70, 84, 110]),
  ground: /** @type {Rgb} */ ([20, 29, 45]),
  heavy: /** @type {Rgb} */ ([150, 112, 62]),
  grid: "rgba(160, 180, 220, 0.13)",
  portal: "rgba(160, 180, 220, 0.2)",
  wall: "#8fa3c7",
  corridor: "rgba(255, 138, 92, 0.2)",
  ink: "#e8edf7",
  halo: "rgba(8, 12, 20, 0.9)",
  route: "#ff8a5c",
  walked: "#9aa6bd",
  start: "#3ddc9f",
  goal: "#ff8a5c",
  region: "rgba(140, 180, 255, 0.75)",
  line: "rgba(255, 140, 220, 0.75)",
  port: "#a9c8ff",
  crossing: "#ffd166",
  way: "rgba(140, 180, 255, 0.3)",
  flash: "rgba(255, 160, 60, 0.5)",
  tree: "rgba(110, 230, 170, 0.7)",
  border: "#f2ecd8",
  ledge: "#ff8fa0",
  link: "#c5a6ff",
  onLink: "#141024",
};

export const isDark = () =>
  (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export const palette = () => (isDark() ? DARK : LIGHT);

/**
 * Returns a colour as a pixel of an image.
 * @param {Rgb} rgb
 */
export const pixel = ([r, g, b], alpha = 255) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;

/** Returns the colour around the world as a pixel. */
export const paperPixel = () => {
  const rgb = Number.parseInt(palette().paper.slice(1), 16);
  return pixel([rgb >> 16, (rgb >> 8) & 255, rgb & 255]);
};

/**
 * Returns the pixels of terrain by weight.
 * @returns {Uint32Array}
 */
export function terrainPixels() {
  const { walls, ground, heavy } = palette();
  const pixels = new Uint32Array(256);
  pixels[0] = pixel(walls);
  for (let weight = 1; weight < 256; weight++) {
    // The weights 1 to 9 have different colours; heavier ground has the colour of 9.
    const share = Math.min(weight - 1, 8) / 8;
    const mixed = ground.map((from, i) => Math.round(from + (heavy[i] - from) * Math.sqrt(share) * (weight > 1 ? 1 : 0)));
    pixels[weight] = pixel(/** @type {Rgb} */ (mixed));
  }
  return pixels;
}

/** What is mixed into ground of the kinds from 1 to 8, which other kinds take in turn: stone, shoal, water, leaf, moss, sand, snow, gravel. */
const KINDS = /** @type {Rgb[]} */ ([[140, 132, 124], [124, 196, 216], [47, 116, 184], [60, 125, 58], [107, 111, 43], [226, 185, 85], [225, 236, 250], [154, 106, 88]]);

/** @param {number} kind */
const kindOf = (kind) => KINDS[(kind - 1) % KINDS.length];

/**
 * Returns the colour of a kind of ground, as a style.
 * @param {number} kind
 */
export const kindColour = (kind) => `rgb(${kindOf(kind).join(" ")})`;

/**
 * Returns one pixel with so much of another colour in it.
 * @param {number} one
 * @param {Rgb} other
 * @param {number} share
 */
const mixed = (one, other, share) => pixel(/** @type {Rgb} */ ([0, 8, 16].map((shift, i) => Math.round(((one >>> shift) & 255) * (1 - share) + other[i] * share))));

/**
 * Returns the pixel of ground of a kind.
 * @param {number} ground the pixel of ground of its weight
 * @param {number} kind
 */
export const kindPixel = (ground, kind) => (kind === 0 ? ground : mixed(ground, kindOf(kind), 0.62));

/**
 * Returns the pixel of ground on which the agent cannot stand.
 * @param {number} ground
 */
export const barredPixel = (ground) => mixed(ground, palette().walls, 0.55);

/** Returns the colours of terrain of weight 0 to 9, as styles. */
export const terrainColours = () =>
  Array.from(terrainPixels().subarray(0, 10), (one) => `rgb(${one & 255} ${(one >> 8) & 255} ${(one >> 16) & 255})`);

/** The states that a search gives to a cell. */
export const State = { none: 0, open: 1, closed: 2, reopened: 3, closedAgain: 4 };

/** @type {Record<string, [light: Rgb, dark: Rgb]>} */
const TONES = {
  open: [[230, 159, 0], [240, 180, 40]],
  closed: [[86, 180, 233], [58, 130, 190]],
  reopened: [[204, 60, 140], [255, 110, 190]],
  closedAgain: [[140, 70, 150], [170, 90, 190]],
};

/** Returns the colours of open, closed, re-opened and closed-again cells, as styles. */
export function tones() {
  const dark = Number(isDark());
  return Object.fromEntries(Object.entries(TONES).map(([name, both]) => [name, `rgb(${both[dark].join(" ")})`]));
}

/**
 * Returns the pixels by state, transparent where the search did nothing.
 * @returns {Uint32Array}
 */
export function statePixels() {
  const dark = Number(isDark());
  return Uint32Array.from([0, ...["open", "closed", "reopened", "closedAgain"].map((name) => pixel(TONES[name][dark], 205))]);
}

const VIRIDIS = /** @type {Rgb[]} */ ([
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
]);

/**
 * Returns a colour on the scale of values, from 0 to 1.
 * @param {number} share
 * @returns {Rgb}
 */
export function viridis(share) {
  const at = Math.max(0, Math.min(1, share)) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return /** @type {Rgb} */ (VIRIDIS[low].map((from, i) => Math.round(from + (VIRIDIS[low + 1][i] - from) * (at - low))));
}

/** Returns 256 pixels along the scale of values. */
export const heatPixels = () => Uint32Array.from({ length: 256 }, (_, i) => pixel(viridis(i / 255), 220));

/** Returns the colours of the agents of a game, in order. Agents bear numbers too. */
export const crew = () => (isDark()
  ? ["#ff8a5c", "#6cb8ff", "#3ddc9f", "#ffd166", "#d7a6ff", "#c9d64a", "#5fd8e8", "#ff8fc4"]
  : ["#b3261e", "#0a5fb0", "#007a5a", "#a85500", "#7d3c98", "#5c6200", "#00687f", "#a0256b"]);

/** Returns the colours of what is in a game besides agents. */
export const game = () => (isDark()
  ? { key: "#f2c14e", door: "#9c6b35", monster: "#c04be0", trap: "#000", rim: "#ff9f1c", heat: "#ff5a36", player: "#ffe14d" }
  : { key: "#eab308", door: "#7a4f1d", monster: "#8e24aa", trap: "#2b1a0a", rim: "#e08a00", heat: "#e8480c", player: "#ffd400" });

/** Returns the colours of agents of a crowd, by the number of what they do. */
export const doings = () => (isDark()
  ? ["#6cb8ff", "#b6c2d9", "#ffd166", "#d7a6ff", "#ff5a4d", "#3ddc9f", "#ff5a4d", "#ff5a4d", "#ff5a4d"]
  : ["#0a5fb0", "#77808f", "#d18f00", "#7d3c98", "#c4160c", "#007a5a", "#c4160c", "#c4160c", "#c4160c"]);

/** Returns the colours of panes and curves, in order. */
export const series = () => (isDark() ? ["#ff8a5c", "#6cb8ff", "#3ddc9f"] : ["#b3261e", "#0a5fb0", "#007a5a"]);

/**
 * Returns a colour as a pixel, the stronger the larger the share is.
 * @param {string} colour of the form #rrggbb
 * @param {number} share from 0 to 1
 */
export const shade = (colour, share) => {
  const rgb = Number.parseInt(colour.slice(1), 16);
  return pixel([rgb >> 16, (rgb >> 8) & 255, rgb & 255], Math.round(40 + 110 * share));
};
