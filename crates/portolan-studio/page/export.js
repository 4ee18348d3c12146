// Saves the view as a picture and the search as data, for other programs and for paper.

import { download } from "./dom.js";
import { palette, series, tones } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */

/** @param {Studio} studio */
export function savePng({ views, world }) {
  const ratio = devicePixelRatio || 1;
  const sheet = document.createElement("canvas");
  sheet.width = views.reduce((sum, { canvas }) => sum + canvas.width, 0) + (views.length - 1) * 4 * ratio;
  sheet.height = views[0].canvas.height;
  const context = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  let left = 0;
  for (const view of views) {
    view.draw();
    context.drawImage(view.canvas, left, 0);
    left += view.canvas.width + 4 * ratio;
  }
  sheet.toBlob((blob) => blob && download(`${world?.name ?? "world"}.png`, blob, "image/png"), "image/png");
}

/**
 * Saves the first pane as lines and areas: runs of terrain and of states, the route, start and goal.
 * @param {Studio} studio
 */
export function saveSvg({ scene, views, world }) {
  const { ground, show } = scene;
  if (!ground) return;
  const { grid, width, height, weights } = ground;
  const { trace, route, walked } = views[0];
  const colours = palette();
  const runs = (/** @type {(cell: number) => number} */ value, /** @type {(value: number) => string} */ colour) => {
    /** @type {Map<number, string[]>} */
    const ways = new Map();
    for (let y = 0; y < height; y++) {
      const [first, last] = grid.columns(y);
      for (let x = first; x < last; ) {
        const now = value(y * width + x);
        let end = x + 1;
        while (end < last && value(y * width + end) === now) end++;
        if (now > 0) ways.set(now, [...(ways.get(now) ?? []), grid.outline(x, y, end - x)]);
        x = end;
      }
    }
    return [...ways].map(([now, list]) => `<path fill="${colour(now)}" d="${list.join("")}"/>`).join("\n");
  };
  const rgb = (/** @type {ArrayLike<number>} */ list) => `rgb(${Array.from(list).join(",")})`;
  const heavy = (/** @type {number} */ weight) => rgb(colours.ground.map((from, i) => Math.round(from + (colours.heavy[i] - from) * Math.sqrt(Math.min(weight - 1, 8) / 8))));
  const terrain = runs((cell) => (weights[cell] === 1 ? 0 : weights[cell] === 0 ? 256 : weights[cell]), (weight) => (weight === 256 ? rgb(colours.walls) : heavy(weight)));
  const tone = tones();
  const states = trace && show.states ? runs((cell) => trace.state[cell], (state) => ["", tone.open, tone.closed, tone.reopened, tone.closedAgain][state]) : "";
  const line = (/** @type {ArrayLike<number>} */ cells, /** @type {string} */ colour) => {
    const points = [];
    for (let i = 0; i < cells.length / grid.stride; i++) points.push(grid.point(cells, i).join(","));
    return points.length > 1 ? `<polyline fill="none" stroke="${colour}" stroke-width="0.5" stroke-linejoin="round" points="${points.join(" ")}"/>` : "";
  };
  const [[fx, fy], [tx, ty]] = [grid.place(scene.from), grid.place(scene.to)];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${grid.across} ${grid.down}" shape-rendering="crispEdges">
${base(grid, rgb(colours.ground))}
${terrain}
<g opacity="0.75">${states}</g>
<g shape-rendering="auto">${line(walked, colours.walked)}${show.route ? line(route, views.length > 1 ? series()[0] : colours.route) : ""}
<circle cx="${fx}" cy="${fy}" r="0.8" fill="${colours.start}"/>
<rect x="${tx - 0.7}" y="${ty - 0.7}" width="1.4" height="1.4" fill="${colours.goal}" transform="rotate(45 ${tx} ${ty})"/></g>
</svg>
`;
  download(`${world?.name ?? "world"}.svg`, text, "image/svg+xml");
}

/**
 * Returns the ground of a world, as one area of all its cells.
 * @param {import("./grid.js").Grid} grid
 * @param {string} colour
 */
function base(grid, colour) {
  const rows = Array.from({ length: grid.height }, (_, y) => {
    const [first, end] = grid.columns(y);
    return grid.outline(first, y, end - first);
  });
  return `<path fill="${colour}" d="${rows.join("")}"/>`;
}

/** @param {Studio} studio */
export function saveTrace({ scene, views, world, found }) {
  const { trace } = views[0];
  if (!trace || !world) return;
  const { from, to } = scene;
  const whole = { world: world.name, width: world.width, height: world.height, straight: world.straight, diagonal: world.diagonal, from, to, algorithm: found?.algorithm, settings: found?.settings, outcome: found?.outcome, length: found?.length, events: trace.toJson(Boolean(world.mesh)) };
  download(`${world.name}-${found?.algorithm ?? "search"}.json`, JSON.stringify(whole), "application/json");
}
