// Draws what lies between cells: closed borders as thick lines, one-way borders with arrowheads, links as dashed curves, floors as
// frames with their names. Not here: when to draw, and what.

import { beyond } from "./between.js";
import { palette } from "./palette.js";

/** @typedef {import("./overlay.js").Sheet} Sheet */
/** @typedef {import("./grid.js").Place} Place */

/** Half of the side of a hexagon that is 1 wide. */
const HALF_SIDE = 0.288675;

/**
 * Returns the ends of the line between two neighbours, and the way of length 1 from the first to the second.
 * @param {import("./grid.js").Grid} grid
 * @param {boolean} isHex
 * @param {[number, number]} at
 * @param {[number, number]} to
 */
export function sideOf(grid, isHex, at, to) {
  const [ax, ay] = grid.middle(...at), [bx, by] = grid.middle(...to);
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const way = /** @type {Place} */ ([(bx - ax) / length, (by - ay) / length]);
  const half = isHex ? HALF_SIDE : 0.5, [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
  return { way, middle: /** @type {Place} */ ([mx, my]), ends: /** @type {Place[]} */ ([[mx - way[1] * half, my + way[0] * half], [mx + way[1] * half, my - way[0] * half]]) };
}

/**
 * Adds an arrowhead to the path.
 * @param {CanvasRenderingContext2D} context
 * @param {Place} tip
 * @param {Place} way of length 1
 * @param {number} size
 */
function head(context, [x, y], [dx, dy], size) {
  context.moveTo(x - size * (dx - dy * 0.6), y - size * (dy + dx * 0.6));
  context.lineTo(x, y);
  context.lineTo(x - size * (dx + dy * 0.6), y - size * (dy - dx * 0.6));
}

/**
 * Draws the borders in sight.
 * @param {Sheet} sheet
 * @param {import("./between.js").Between} between
 */
export function borders({ context, grid, sight, px }, { borders, isHex }) {
  const { left, top, right, bottom } = grid.range(sight);
  const walls = new Path2D(), ledges = new Path2D();
  for (const { x, y, side, border } of borders) {
    if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) continue;
    const to = beyond(isHex, [x, y], side);
    if (!to) continue;
    const { way, middle, ends: [a, b] } = sideOf(grid, isHex, [x, y], to);
    const path = border === 1 ? walls : ledges;
    path.moveTo(...a);
    path.lineTo(...b);
    if (border === 1) continue;
    const [dx, dy] = border === 2 ? way : /** @type {Place} */ ([-way[0], -way[1]]);
    head(/** @type {any} */ (path), [middle[0] + dx * 0.3, middle[1] + dy * 0.3], [dx, dy], 0.24);
  }
  const colours = palette();
  context.lineCap = context.lineJoin = "round";
  for (const [path, colour, width] of /** @type {const} */ ([[walls, colours.border, 0.17], [ledges, colours.ledge, 0.11]])) {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(width, 2.4 * px);
    context.stroke(path);
  }
}

/**
 * Draws links as curves, so that several between the same places are told apart, with an arrowhead where each leads.
 * @param {Sheet} sheet
 * @param {import("./between.js").Link[]} links
 * @param {boolean} [isSketch] whether they are drawn as ones that are not made yet
 */
export function links({ context, grid, px }, links, isSketch = false) {
  const colours = palette();
  context.lineCap = context.lineJoin = "round";
  for (const { from, to, isBothWays } of links) {
    const a = grid.middle(...from), b = grid.middle(...to);
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const bow = /** @type {Place} */ ([(a[0] + b[0]) / 2 - dy * 0.18, (a[1] + b[1]) / 2 + dx * 0.18]);
    const curve = new Path2D(), heads = new Path2D();
    curve.moveTo(...a);
    curve.quadraticCurveTo(...bow, ...b);
    const size = Math.max(0.32, 8 * px);
    for (const [tip, shows] of /** @type {const} */ ([[b, true], [a, isBothWays]])) {
      if (!shows) continue;
      const [wx, wy] = [tip[0] - bow[0], tip[1] - bow[1]], length = Math.hypot(wx, wy) || 1;
      head(/** @type {any} */ (heads), tip, [wx / length, wy / length], size);
    }
    for (const [colour, width] of /** @type {const} */ ([[colours.halo, 4.6], [colours.link, 2.2]])) {
      context.strokeStyle = colour;
      context.lineWidth = Math.max(width * px, width * 0.035);
      context.globalAlpha = isSketch ? 0.6 : 1;
      context.setLineDash([6 * px, 5 * px]);
      context.stroke(curve);
      context.setLineDash([]);
      context.stroke(heads);
    }
    context.globalAlpha = 1;
  }
}

/**
 * Draws a frame around each floor, with its name.
 * @param {Sheet} sheet
 * @param {{ count: number, width: number, height: number, stride: number }} floors
 */
export function floors({ context, grid, px }, { count, width, height, stride }) {
  const colours = palette();
  context.font = `600 ${12 * px}px system-ui, sans-serif`;
  context.textBaseline = "top";
  for (let floor = 0; floor < count; floor++) {
    const [left, top] = grid.middle(0, floor * stride), [right, bottom] = grid.middle(width - 1, floor * stride + height - 1);
    context.strokeStyle = colours.link;
    context.lineWidth = 2 * px;
    context.strokeRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1);
    const text = `Floor ${floor}`, wide = context.measureText(text).width + 10 * px;
    context.fillStyle = colours.link;
    context.fillRect(left - 0.5, top - 0.5, wide, 17 * px);
    context.fillStyle = colours.onLink;
    context.fillText(text, left - 0.5 + 5 * px, top - 0.5 + 2.5 * px);
  }
}

/**
 * Draws the sides that a stroke would change.
 * @param {Sheet} sheet
 * @param {boolean} isHex
 * @param {{ at: [number, number], to: [number, number] }} side
 */
export function pointed({ context, grid, px }, isHex, { at, to }) {
  const [a, b] = sideOf(grid, isHex, at, to).ends;
  context.beginPath();
  context.moveTo(...a);
  context.lineTo(...b);
  context.lineCap = "round";
  context.strokeStyle = palette().ledge;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(0.2, 4 * px);
  context.stroke();
  context.globalAlpha = 1;
}
