// Draws what lies over a mesh alone: the polygons that a route passes, the way before it is pulled taut, the borders of nodes;
// and crowds, which walk on any ground. Not here: when to draw, and what.

import { doings, palette } from "./palette.js";

/** @typedef {import("./overlay.js").Sheet} Sheet */

/**
 * Draws a corridor: its polygons, and the way over the middles of the portals between them.
 * @param {Sheet} sheet
 * @param {import("./meshes.js").Meshes} mesh
 * @param {ArrayLike<number>} corridor
 * @param {import("./grid.js").Place[]} ends start and goal
 */
export function corridor({ context, px }, mesh, corridor, [from, to]) {
  if (corridor.length === 0) return;
  const colours = palette();
  context.beginPath();
  for (let i = 0; i < corridor.length; i++) mesh.trace(context, corridor[i]);
  context.fillStyle = colours.corridor;
  context.fill();
  context.beginPath();
  context.moveTo(...from);
  for (const place of mesh.through(corridor)) context.lineTo(...place);
  context.lineTo(...to);
  context.setLineDash([5 * px, 4 * px]);
  context.lineJoin = "round";
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.8 * px;
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draws the edges between the nodes of one level.
 * @param {Sheet} sheet
 * @param {import("./meshes.js").Meshes} mesh
 * @param {Uint32Array} ends
 */
export function borders({ context, sight, px }, mesh, ends) {
  context.beginPath();
  mesh.edges(context, ends, sight);
  context.lineCap = "round";
  context.strokeStyle = palette().crossing;
  context.lineWidth = 2.2 * px;
  context.stroke();
}

/** From so many agents on, a crowd is drawn with pictures of discs. */
const MANY = 3000;

/**
 * Draws the agents of a crowd as discs, coloured by what they do.
 * @param {Sheet} sheet
 * @param {import("./crowd.js").Shown} crowd
 */
export function crowd(sheet, crowd) {
  if (crowd.states.length >= MANY) return manyAgents(sheet, crowd);
  const { context, grid, sight, px } = sheet;
  const { places, states, radius } = crowd;
  const r = Math.max(radius * grid.unit, 3.2 * px);
  /** @type {Path2D[]} */
  const paths = [];
  for (let i = 0; i < states.length; i++) {
    const [x, y] = grid.body(places[3 * i], places[3 * i + 1], places[3 * i + 2]);
    if (x < sight.left - r || x > sight.right + r || y < sight.top - r || y > sight.bottom + r) continue;
    const path = (paths[states[i]] ??= new Path2D());
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
  }
  const colours = doings();
  paths.forEach((path, state) => {
    context.fillStyle = colours[state];
    context.fill(path);
    context.strokeStyle = palette().halo;
    context.lineWidth = Math.min(1.2 * px, r / 3);
    context.stroke(path);
  });
}

/**
 * Draws very many agents: each disc is a copy of a small picture of its colour.
 * @param {Sheet} sheet
 * @param {import("./crowd.js").Shown} crowd
 */
function manyAgents({ context, grid, sight, px }, { places, states, radius }) {
  const r = Math.max(radius * grid.unit, 1.2 * px);
  const side = Math.min(128, Math.max(3, Math.ceil((2 * r) / px)));
  const discs = doings().map((colour) => disc(colour, side));
  for (let i = 0; i < states.length; i++) {
    const [x, y] = grid.body(places[3 * i], places[3 * i + 1], places[3 * i + 2]);
    if (x < sight.left - r || x > sight.right + r || y < sight.top - r || y > sight.bottom + r) continue;
    context.drawImage(discs[states[i]], x - r, y - r, 2 * r, 2 * r);
  }
}

/**
 * Returns a picture of a disc.
 * @param {string} colour
 * @param {number} side
 */
function disc(colour, side) {
  const picture = new OffscreenCanvas(side, side);
  const context = picture.getContext("2d");
  if (context) {
    context.fillStyle = colour;
    context.arc(side / 2, side / 2, side / 2, 0, 2 * Math.PI);
    context.fill();
  }
  return picture;
}
