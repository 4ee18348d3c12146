// Draws what lies over the ground: routes, charts, trees, agents, marks. Cells lie where the grid of the sheet says. Not
// here: when to draw, and what.

import { palette, series, tones } from "./palette.js";

/**
 * What is drawn on: a canvas that is scaled so that one unit is the width of a cell, the part of the world that is in
 * sight, and the length of a pixel.
 * @typedef {{ context: CanvasRenderingContext2D, grid: import("./grid.js").Grid, sight: import("./grid.js").Sight, px: number }} Sheet
 */
/** @typedef {ArrayLike<number>} List */

/** Most lines in sight that are drawn: more of them cover everything and take too long. */
const MOST_LINES = 30_000;
const MOST_TREE = 40_000;

/** Everything is in sight. */
const EVERYWHERE = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };

/**
 * Draws a line through cells, with a halo so that it shows on any ground, unless it is `bare`.
 * @param {Sheet} sheet
 * @param {List} cells
 * @param {{ colour: string, width?: number, from?: number, to?: number, dashed?: boolean, bare?: boolean }} style
 */
export function route({ context, grid, px }, cells, { colour, width = 3, from = 0, to = cells.length / grid.stride, dashed = false, bare = false }) {
  if (to - from < 1) return;
  context.beginPath();
  let [x, y] = grid.point(cells, from);
  context.moveTo(x, y);
  for (let i = from + 1; i < to; i++) {
    const [nx, ny] = grid.point(cells, i);
    // On a long route most steps have the direction of the next step: only the corners are needed.
    const [tx, ty] = i + 1 < to ? grid.point(cells, i + 1) : [x, y];
    if (Math.abs(tx - nx - (nx - x)) > 1e-6 || Math.abs(ty - ny - (ny - y)) > 1e-6) context.lineTo(nx, ny);
    [x, y] = [nx, ny];
  }
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = palette().halo;
  context.lineWidth = (width + 3) * px;
  if (!bare) context.stroke();
  if (dashed) context.setLineDash([6 * px, 5 * px]);
  context.strokeStyle = colour;
  context.lineWidth = width * px;
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draws the start or the goal, which differ in shape as well as in colour.
 * @param {Sheet} sheet
 * @param {import("./protocol").AnySpot} at
 * @param {"start" | "goal"} which
 */
export function mark({ context, grid, px }, at, which) {
  const colours = palette();
  const r = Math.max(0.42, 8 * px);
  context.save();
  context.translate(...grid.place(at));
  context.beginPath();
  if (which === "start") context.arc(0, 0, r, 0, 2 * Math.PI);
  else {
    context.rotate(Math.PI / 4);
    context.rect(-r * 0.85, -r * 0.85, r * 1.7, r * 1.7);
  }
  context.fillStyle = which === "start" ? colours.start : colours.goal;
  context.strokeStyle = colours.halo;
  context.lineWidth = r * 0.5;
  context.stroke();
  context.fill();
  if (which === "goal") {
    context.beginPath();
    context.rect(-r * 0.3, -r * 0.3, r * 0.6, r * 0.6);
    context.fillStyle = colours.halo;
    context.fill();
  }
  context.restore();
}

/**
 * Draws an agent.
 * @param {Sheet} sheet
 * @param {{ x: number, y: number, isStuck: boolean }} agent where it is: at a place, not in a cell
 * @param {string} colour
 */
export function agent({ context, px }, { x, y, isStuck }, colour) {
  const colours = palette();
  const r = Math.max(0.45, 9 * px);
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.strokeStyle = colours.halo;
  context.lineWidth = r * 0.45;
  context.stroke();
  context.fill();
  context.strokeStyle = colours.ink;
  context.lineWidth = r * 0.18;
  context.stroke();
  if (isStuck) {
    context.beginPath();
    for (const way of [-1, 1]) {
      context.moveTo(x - r * 0.45, y - way * r * 0.45);
      context.lineTo(x + r * 0.45, y + way * r * 0.45);
    }
    context.strokeStyle = colours.halo;
    context.lineWidth = r * 0.3;
    context.stroke();
  }
}

/**
 * Draws lines between pairs of cells in sight, or none if there are too many. Returns whether they were drawn.
 * @param {Sheet} sheet
 * @param {List} pairs
 * @param {string} colour
 * @param {number} width
 */
export function lines({ context, grid, sight }, pairs, colour, width) {
  context.beginPath();
  let drawn = 0;
  for (let i = 0; i + 3 < pairs.length; i += 4) {
    const [x0, y0] = grid.middle(pairs[i], pairs[i + 1]), [x1, y1] = grid.middle(pairs[i + 2], pairs[i + 3]);
    if (Math.max(x0, x1) < sight.left || Math.min(x0, x1) > sight.right) continue;
    if (Math.max(y0, y1) < sight.top || Math.min(y0, y1) > sight.bottom) continue;
    if (++drawn > MOST_LINES) return false;
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  return true;
}

/**
 * Draws squares on cells in sight.
 * @param {Sheet} sheet
 * @param {List} cells
 * @param {string} colour
 * @param {number} side
 */
export function dots({ context, grid, sight }, cells, colour, side) {
  context.fillStyle = colour;
  for (let i = 0; i + 1 < cells.length; i += 2) {
    const [x, y] = grid.middle(cells[i], cells[i + 1]);
    if (x < sight.left || x > sight.right + 1 || y < sight.top || y > sight.bottom + 1) continue;
    context.fillRect(x - side / 2, y - side / 2, side, side);
  }
}

/**
 * Draws the frames of the regions of one depth. Only squares have regions.
 * @param {Sheet} sheet
 * @param {Uint16Array} regions
 * @param {number} depth
 * @param {number} width
 */
export function frames({ context, sight, px }, regions, depth, width) {
  context.beginPath();
  for (let i = 0; i + 4 < regions.length; i += 5) {
    const [x, y, w, h] = [regions[i], regions[i + 1], regions[i + 2], regions[i + 3]];
    if (regions[i + 4] !== depth || x > sight.right || y > sight.bottom || x + w < sight.left || y + h < sight.top) continue;
    context.rect(x, y, w, h);
  }
  context.strokeStyle = palette().region;
  context.lineWidth = width * px;
  context.stroke();
}

/**
 * Draws areas that fade away.
 * @param {Sheet} sheet
 * @param {List} areas
 * @param {number} strength
 */
export function flash(sheet, areas, strength) {
  fill(sheet, areas, 4, palette().flash, strength);
}

/**
 * Draws the areas of edits that are not made yet.
 * @param {Sheet} sheet
 * @param {List} edits
 */
export function preview(sheet, edits) {
  fill(sheet, edits, 5, tones().open, 0.6);
}

/**
 * Fills areas, each of which begins so many numbers after the one before.
 * @param {Sheet} sheet
 * @param {List} areas
 * @param {number} every
 * @param {string} colour
 * @param {number} strength
 */
function fill({ context, grid, px }, areas, every, colour, strength) {
  context.beginPath();
  for (let i = 0; i + 3 < areas.length; i += every) grid.path(context, [areas[i], areas[i + 1], areas[i + 2], areas[i + 3]], px);
  context.globalAlpha = strength;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
}

/**
 * Draws the border of a cell.
 * @param {Sheet} sheet
 * @param {[number, number]} at
 */
export function border({ context, grid, px }, [x, y]) {
  context.beginPath();
  grid.path(context, [x, y, 1, 1], px);
  context.strokeStyle = palette().ink;
  context.lineWidth = 1.5 * px;
  context.stroke();
}

/**
 * Draws a ring around a cell.
 * @param {Sheet} sheet
 * @param {[number, number]} at
 */
export function ring({ context, grid, px }, at) {
  context.beginPath();
  context.arc(...grid.middle(...at), Math.max(0.7, 6 * px), 0, 2 * Math.PI);
  context.strokeStyle = palette().ink;
  context.lineWidth = 2 * px;
  context.stroke();
}

/**
 * Draws the lines between the cells in sight.
 * @param {Sheet} sheet
 */
export function cells({ context, grid, sight, px }) {
  context.beginPath();
  grid.lines(context, sight);
  context.strokeStyle = palette().grid;
  context.lineWidth = px;
  context.stroke();
}

/**
 * Draws the tree of a search: a line from every cell to the one it was reached from. Returns whether the tree was
 * drawn, which it is not if it has too many lines.
 * @param {Sheet} sheet
 * @param {import("./trace.js").Trace} trace
 */
export function searchTree(sheet, trace) {
  const { width } = trace.world;
  const { left, top, right, bottom } = sheet.grid.range(sheet.sight);
  /** @type {number[]} */
  const pairs = [];
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const cell = y * width + x;
      if (trace.state[cell] === 0) continue;
      const parent = trace.parent(cell);
      if (parent < 0) continue;
      if (pairs.length > 4 * MOST_TREE) return false;
      pairs.push(parent % width, (parent / width) | 0, x, y);
    }
  }
  return lines({ ...sheet, sight: EVERYWHERE }, pairs, palette().tree, Math.min(0.2, 1.5 * sheet.px));
}

/**
 * Draws the cells of a short trace, large enough to be seen from afar.
 * @param {Sheet} sheet
 * @param {import("./trace.js").Trace} trace
 */
export function largeStates({ context, grid, px }, trace) {
  const { width } = trace.world;
  const styles = ["", tones().open, tones().closed, tones().reopened, tones().closedAgain];
  const side = 4 * px;
  for (let i = 0; i < trace.at; i++) {
    const cell = trace.events[i] & 0xfffffff;
    if (trace.events[i] >>> 28 > 3 && trace.events[i] >>> 28 !== 8) continue;
    const state = trace.state[cell];
    if (state === 0) continue;
    context.fillStyle = styles[state];
    const [x, y] = grid.middle(cell % width, (cell / width) | 0);
    context.fillRect(x - side / 2, y - side / 2, side, side);
  }
}

/**
 * Draws the legs of a route up to the given one, in two alternating colours, over a dashed line through all its ports.
 * @param {Sheet} sheet
 * @param {{ waypoints: List, cells: List, ends: List }} legs
 * @param {number} shown
 */
export function legs(sheet, { waypoints, cells, ends }, shown) {
  route(sheet, waypoints, { colour: palette().port, width: 2, dashed: true });
  dots({ ...sheet, sight: EVERYWHERE }, waypoints, palette().port, Math.max(1, 7 * sheet.px));
  const colours = series();
  for (let leg = 0; leg < Math.min(shown, ends.length); leg++) {
    // Each leg starts at the last cell of the one before.
    const from = leg === 0 ? 0 : ends[leg - 1] - 1;
    route(sheet, cells, { colour: colours[leg % 2], from, to: ends[leg] });
  }
}
