// The address of what is on the screen: world, start, goal, algorithm, settings, game and minds, after the #, which never leaves the
// browser. A page that opens the address shows all of it again.

import { FIRST_WORLD } from "./studio.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").WorldRef} WorldRef */
/** @typedef {import("./protocol").PlayOptions} PlayOptions */
/** @typedef {import("./mind.js").Asked} AskedMinds */

/** @param {Studio} studio */
export function address(studio) {
  const { world, scene, rules, algorithm, nearest } = studio;
  if (!world) return "";
  const words = new URLSearchParams();
  const { ref } = world;
  if (ref.kind === "made") {
    words.set("make", `${ref.recipe} ${ref.width}x${ref.height} ${ref.seed}`);
    if (ref.grid) words.set("grid", ref.grid);
    for (const [name, value] of Object.entries(ref.settings)) words.set(`make.${name}`, value);
  } else if (ref.kind === "city") words.set("city", `${ref.columns}x${ref.rows} ${ref.seed}`);
  else words.set(ref.kind, ref.name);
  // Points of a mesh are told to a thousandth; the polygon says on which floor they are.
  for (const end of /** @type {const} */ (["from", "to"])) words.set(end, scene[end].map((number) => Number(number.toFixed(3))).join(","));
  words.set("with", algorithm);
  for (const [name, value] of Object.entries(studio.entrant.settings)) words.set(`set.${name}`, value);
  if (rules.corners !== "strict") words.set("corners", rules.corners);
  if (rules.directions !== 8) words.set("directions", String(rules.directions));
  for (const [name, value] of Object.entries(world.mesh?.agent ?? {})) {
    const usual = /** @type {Record<string, number>} */ ({ ...studio.catalogue?.agent })[name];
    if (Math.abs(value - usual) > 1e-4) words.set(`agent.${name}`, String(Number(value.toFixed(4))));
  }
  if (nearest) words.set("nearest", "1");
  if (scene.game) writeGame(words, scene.game.asked);
  if (scene.minds) writeMinds(words, scene.minds.asked);
  return `#${words.toString().replaceAll("%2C", ",").replaceAll("%2F", "/")}`;
}

/**
 * @param {URLSearchParams} words
 * @param {AskedMinds} asked
 */
function writeMinds(words, { minds, seed, isTogether }) {
  for (const settings of minds) words.append("mind", Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(" "));
  words.set("mind.seed", String(seed));
  if (isTogether) words.set("mind.view", "together");
}

/**
 * Returns the minds that an address describes, or null if it has none.
 * @param {string} hash
 * @returns {AskedMinds | null}
 */
export function mindsOf(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const minds = words.getAll("mind").map((text) => Object.fromEntries(text.split(" ").filter(Boolean).map((pair) => pair.split("=", 2))));
  const seed = Number(words.get("mind.seed") ?? 1);
  return minds.length > 0 ? { minds, seed: Number.isSafeInteger(seed) ? seed : 1, isTogether: words.get("mind.view") === "together" } : null;
}

/** What is on or off in a game. */
const FLAGS = /** @type {const} */ (["monsters", "catching", "influence"]);

/**
 * @param {URLSearchParams} words
 * @param {PlayOptions} game
 */
function writeGame(words, game) {
  for (const { algorithm, settings } of game.agents) words.append("agent", [algorithm, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)].join(" "));
  for (const name of /** @type {const} */ (["traps", "every", "seed"])) words.set(name, String(game[name]));
  words.set("game", FLAGS.filter((name) => game[name]).join(","));
  if (game.followers > 0) words.set("followers", `${game.followers} ${game.formation}`);
  if (game.obstructed === "stop") words.set("obstructed", "stop");
}

/**
 * Returns the game that an address describes, or null if it has none.
 * @param {string} hash
 * @returns {PlayOptions | null}
 */
export function gameOf(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const agents = words.getAll("agent").map((text) => {
    const [algorithm, ...pairs] = text.split(" ");
    return { algorithm, settings: Object.fromEntries(pairs.map((pair) => pair.split("=", 2))) };
  });
  const number = (/** @type {string} */ name, /** @type {number} */ usual) => Number(words.get(name) ?? usual);
  const flags = words.get("game")?.split(",") ?? [];
  const [monsters, catching, influence] = FLAGS.map((name) => flags.includes(name));
  if (agents.length === 0) return null;
  const [followers, formation] = (words.get("followers") ?? "0 file").split(" ");
  return {
    agents, traps: number("traps", 0), every: number("every", 20), seed: number("seed", 1), monsters, catching, influence,
    followers: Number(followers), formation: formation === "flock" ? "flock" : "file", obstructed: words.get("obstructed") === "stop" ? "stop" : "walk-on",
  };
}

/**
 * Opens what an address describes, except for its game and minds. If it has no world or no rules, the first world and the usual rules are used; if it
 * has no algorithm, the present one is kept.
 * @param {Studio} studio
 * @param {string} hash
 */
export async function follow(studio, hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const part = (/** @type {string} */ prefix) => Object.fromEntries([...words].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
  const corners = words.get("corners");
  const agent = Object.fromEntries(Object.entries(part("agent.")).map(([name, value]) => [name, Number(value)]).filter(([, value]) => Number.isFinite(value)));
  studio.rules = {
    corners: corners === "no-squeeze" || corners === "loose" ? corners : "strict", directions: words.get("directions") === "4" ? 4 : 8,
    agent: studio.catalogue && { ...studio.catalogue.agent, ...agent },
  };
  const algorithm = words.get("with");
  const known = [...(studio.catalogue?.algorithms ?? []), ...(studio.catalogue?.mesh_algorithms ?? [])];
  if (algorithm && known.some(({ name }) => name === algorithm)) {
    studio.algorithm = algorithm;
    studio.settings[algorithm] = part("set.");
  } else if (algorithm) studio.say(`There is no algorithm called ${algorithm}.`, true);
  studio.nearest = words.get("nearest") === "1";
  let world = await studio.open(place(words, part("make.")));
  if (!world) {
    studio.say(`${words.get("file") ?? "The world of this address"} is not at hand; here is another.`, true);
    world = await studio.open(FIRST_WORLD);
  }
  for (const end of /** @type {const} */ (["from", "to"])) {
    const spot = words.get(end)?.split(",").map(Number);
    const isPoint = spot?.length === 3 && spot.every(Number.isFinite) && spot[0] >= 0 && spot[0] < (studio.world?.mesh?.polygons ?? 0);
    const isCell = spot?.length === 2 && spot.every(Number.isInteger) && !studio.world?.mesh && studio.scene.ground?.has(spot[0], spot[1]);
    if (isPoint || isCell) studio.move(end, /** @type {import("./protocol").AnySpot} */ (spot));
  }
}

/**
 * @param {URLSearchParams} words
 * @param {Record<string, string>} settings
 * @returns {WorldRef}
 */
function place(words, settings) {
  const made = /^(\S+) (\d+)x(\d+) (\d+)$/.exec(words.get("make") ?? "");
  const city = /^(\d+)x(\d+) (\d+)$/.exec(words.get("city") ?? "");
  if (city) return { kind: "city", columns: Number(city[1]), rows: Number(city[2]), seed: Number(city[3]) };
  const grid = words.get("grid");
  const cells = grid === "hex" || grid === "hexagon" ? { grid: /** @type {"hex" | "hexagon"} */ (grid) } : {};
  if (made) return { kind: "made", recipe: made[1], width: Number(made[2]), height: Number(made[3]), seed: Number(made[4]), settings, ...cells };
  for (const kind of /** @type {const} */ (["builtin", "map", "case", "file"])) {
    const name = words.get(kind);
    if (name) return { kind, name };
  }
  return FIRST_WORLD;
}
