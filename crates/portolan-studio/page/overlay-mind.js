// Draws minds: what they know on a mesh, the shortest way, where they walked and where they are. What they know on squares and hexes is a
// layer of pixels over the ground. Not here: when to draw.

import { agent, route } from "./overlay.js";
import { crew, palette } from "./palette.js";

/** @typedef {import("./overlay.js").Sheet} Sheet */
/** @typedef {import("./mind.js").Shown} Shown */

/** Shades of what is known. */
const SHADES = 4;

/**
 * Returns the numbers of the minds that a pane shows.
 * @param {Shown} shown
 * @param {number} place
 */
const inPane = ({ asked, tapes }, place) => (asked.isTogether ? tapes.map((_, number) => number) : [Math.min(Math.max(place, 0), tapes.length - 1)]);

/**
 * Returns the mind whose knowledge a pane shows.
 * @param {Shown} shown
 * @param {number} place
 */
const knowing = (shown, place) => (shown.asked.isTogether ? shown.chosen : inPane(shown, place)[0]);

/**
 * Returns the layer of what a mind knows, or null on a mesh.
 * @param {Shown} shown
 * @param {number} place
 */
export const known = (shown, place) => shown.layers[knowing(shown, place)] ?? null;

/**
 * Draws the minds of a pane.
 * @param {Sheet} sheet
 * @param {Shown} shown
 * @param {number} place
 */
export function minds(sheet, shown, place) {
  const { grid } = sheet;
  const numbers = inPane(shown, place);
  if (shown.layers.length === 0) discs(sheet, shown, knowing(shown, place));
  for (const number of numbers) route(sheet, shown.tapes[number].shortest, { colour: palette().ink, width: 2, dashed: true });
  const low = Math.floor(shown.now), share = shown.now - low;
  numbers.forEach((number, i) => {
    const { walked, begun } = shown.tapes[number];
    // Of ways that lie on each other, the wider ones below are still seen.
    route(sheet, walked, { colour: crew()[number], width: 3 + 2.5 * (numbers.length - 1 - i), from: begun, to: low + 1, bare: i > 0 });
  });
  for (const number of numbers) {
    const { walked, planned } = shown.tapes[number];
    const last = walked.length / grid.stride - 1;
    if (last < 0) continue;
    if (shown.now >= shown.head.tick) route(sheet, planned, { colour: crew()[number], width: 1.5, dashed: true, bare: true });
    const [[ax, ay], [bx, by]] = [low, low + 1].map((tick) => grid.point(walked, Math.min(tick, last)));
    agent(sheet, { x: ax + (bx - ax) * share, y: ay + (by - ay) * share, isStuck: shown.head.minds[number].state === "gave up" && low >= last }, crew()[number]);
  }
}

/**
 * Draws the hexagons that a mind knows as discs, the darker the better it knows them.
 * @param {Sheet} sheet
 * @param {Shown} shown
 * @param {number} number
 */
function discs({ context, grid, sight }, { tapes, places, head }, number) {
  const { counters } = tapes[number];
  const r = 0.46 * head.size * grid.unit;
  const paths = Array.from({ length: SHADES }, () => new Path2D());
  for (let hexagon = 0; hexagon < counters.length; hexagon++) {
    if (counters[hexagon] === 0) continue;
    const [x, y] = grid.body(places[3 * hexagon], places[3 * hexagon + 1], places[3 * hexagon + 2]);
    if (x < sight.left - r || x > sight.right + r || y < sight.top - r || y > sight.bottom + r) continue;
    const path = paths[Math.min(SHADES, Math.ceil((SHADES * counters[hexagon]) / head.minds[number].most)) - 1];
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  }
  context.fillStyle = crew()[number];
  paths.forEach((path, i) => {
    context.globalAlpha = 0.15 + (0.5 * (i + 1)) / SHADES;
    context.fill(path);
  });
  context.globalAlpha = 1;
}
