// Draws what lies over the ground, in cells: routes, charts, trees, agents, marks. The canvas is already scaled so that
// one unit is one cell; `px` is the length of a pixel. Not here: when to draw, and what.

import { palette, series, tones } from "./palette.js";

/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Window What is in sight, in cells. */
/** @typedef {ArrayLike<number>} List */

/** Most lines in sight that are drawn: more of them cover everything and take too long. */
const MOST_LINES = 30_000;
const MOST_TREE = 40_000;

/**
 * Draws a line through cells, with a halo so that it shows on any ground.
 * @param {Context} context
 * @param {List} cells
 * @param {number} px
 * @param {{ colour: string, width?: number, from?: number, to?: number, dashed?: boolean }} style
 */
export function route(context, cells, px, { colour, width = 3, from = 0, to = cells.length / 2, dashed = false }) {
  if (to - from < 1) return;
  context.beginPath();
  context.moveTo(cells[from * 2] + 0.5, cells[from * 2 + 1] + 0.5);
  for (let i = from + 1; i < to; i++) {
    // On a long route most steps have the direction of the step before: only the corners are needed.
    if (i + 1 < to && cells[2 * i + 2] - cells[2 * i] === cells[2 * i] - cells[2 * i - 2] && cells[2 * i + 3] - cells[2 * i + 1] === cells[2 * i + 1] - cells[2 * i - 1]) continue;
    context.lineTo(cells[i * 2] + 0.5, cells[i * 2 + 1] + 0.5);
  }
  context.lineJoin = context.lineCap = "round";
  context.strokeStyle = palette().halo;
  context.lineWidth = (width + 3) * px;
  context.stroke();
  if (dashed) context.setLineDash([6 * px, 5 * px]);
  context.strokeStyle = colour;
  context.lineWidth = width * px;
  context.stroke();
  context.setLineDash([]);
}

/**
 * Draws the start or the goal, which differ in shape as well as in colour.
 * @param {Context} context
 * @param {[number, number]} at
 * @param {"start" | "goal"} which
 * @param {number} px
 */
export function mark(context, [x, y], which, px) {
  const colours = palette();
  const r = Math.max(0.42, 8 * px);
  context.save();
  context.translate(x + 0.5, y + 0.5);
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
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} px
 * @param {string} colour
 * @param {boolean} isStuck
 */
export function agent(context, x, y, px, colour, isStuck) {
  const colours = palette();
  const r = Math.max(0.45, 9 * px);
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, r, 0, 2 * Math.PI);
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
      context.moveTo(x + 0.5 - r * 0.45, y + 0.5 - way * r * 0.45);
      context.lineTo(x + 0.5 + r * 0.45, y + 0.5 + way * r * 0.45);
    }
    context.strokeStyle = colours.halo;
    context.lineWidth = r * 0.3;
    context.stroke();
  }
}

/**
 * Draws lines between pairs of cells in sight, or none if there are too many. Returns whether they were drawn.
 * @param {Context} context
 * @param {List} pairs
 * @param {Window} sight
 * @param {string} colour
 * @param {number} width
 */
export function lines(context, pairs, sight, colour, width) {
  context.beginPath();
  let drawn = 0;
  for (let i = 0; i + 3 < pairs.length; i += 4) {
    const x0 = pairs[i], y0 = pairs[i + 1], x1 = pairs[i + 2], y1 = pairs[i + 3];
    if (Math.max(x0, x1) < sight.left || Math.min(x0, x1) > sight.right) continue;
    if (Math.max(y0, y1) < sight.top || Math.min(y0, y1) > sight.bottom) continue;
    if (++drawn > MOST_LINES) return false;
    context.moveTo(x0 + 0.5, y0 + 0.5);
    context.lineTo(x1 + 0.5, y1 + 0.5);
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  return true;
}

/**
 * Draws squares on cells in sight.
 * @param {Context} context
 * @param {List} cells
 * @param {Window} sight
 * @param {string} colour
 * @param {number} side
 */
export function dots(context, cells, sight, colour, side) {
  context.fillStyle = colour;
  const inset = (1 - side) / 2;
  for (let i = 0; i + 1 < cells.length; i += 2) {
    const x = cells[i], y = cells[i + 1];
    if (x < sight.left || x > sight.right || y < sight.top || y > sight.bottom) continue;
    context.fillRect(x + inset, y + inset, side, side);
  }
}

/**
 * Draws the frames of the regions of one depth.
 * @param {Context} context
 * @param {Uint16Array} regions
 * @param {number} depth
 * @param {Window} sight
 * @param {number} px
 * @param {number} width
 */
export function frames(context, regions, depth, sight, px, width) {
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
 * @param {Context} context
 * @param {List} areas
 * @param {number} strength
 */
export function flash(context, areas, strength) {
  context.globalAlpha = strength;
  context.fillStyle = palette().flash;
  for (let i = 0; i + 3 < areas.length; i += 4) context.fillRect(areas[i], areas[i + 1], areas[i + 2], areas[i + 3]);
  context.globalAlpha = 1;
}

/**
 * Draws the tree of a search: a line from every cell to the one it was reached from. Returns whether the tree was
 * drawn, which it is not if it has too many lines.
 * @param {Context} context
 * @param {import("./trace.js").Trace} trace
 * @param {Window} sight
 * @param {number} px
 */
export function searchTree(context, trace, sight, px) {
  const { width, height } = trace.world;
  /** @type {number[]} */
  const pairs = [];
  for (let y = Math.max(0, Math.floor(sight.top)); y <= Math.min(height - 1, sight.bottom); y++) {
    for (let x = Math.max(0, Math.floor(sight.left)); x <= Math.min(width - 1, sight.right); x++) {
      const cell = y * width + x;
      if (trace.state[cell] === 0) continue;
      const parent = trace.parent(cell);
      if (parent < 0) continue;
      if (pairs.length > 4 * MOST_TREE) return false;
      pairs.push(parent % width, (parent / width) | 0, x, y);
    }
  }
  return lines(context, pairs, { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }, palette().tree, Math.min(0.2, 1.5 * px));
}

/**
 * Draws the cells of a short trace, large enough to be seen from afar.
 * @param {Context} context
 * @param {import("./trace.js").Trace} trace
 * @param {number} side
 */
export function largeStates(context, trace, side) {
  const { width } = trace.world;
  const styles = ["", tones().open, tones().closed, tones().reopened, tones().closedAgain];
  const inset = (1 - side) / 2;
  for (let i = 0; i < trace.at; i++) {
    const cell = trace.events[i] & 0xfffffff;
    if (trace.events[i] >>> 28 > 3 && trace.events[i] >>> 28 !== 8) continue;
    const state = trace.state[cell];
    if (state === 0) continue;
    context.fillStyle = styles[state];
    context.fillRect((cell % width) + inset, ((cell / width) | 0) + inset, side, side);
  }
}

/**
 * Draws the legs of a route up to the given one, in two alternating colours, over a dashed line through all its ports.
 * @param {Context} context
 * @param {{ waypoints: List, cells: List, ends: List }} legs
 * @param {number} shown
 * @param {number} px
 */
export function legs(context, { waypoints, cells, ends }, shown, px) {
  route(context, waypoints, px, { colour: palette().port, width: 2, dashed: true });
  dots(context, waypoints, { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }, palette().port, Math.max(1, 7 * px));
  const colours = series();
  for (let leg = 0; leg < Math.min(shown, ends.length); leg++) {
    // Each leg starts at the last cell of the one before.
    const from = leg === 0 ? 0 : ends[leg - 1] - 1;
    route(context, cells, px, { colour: colours[leg % 2], from, to: ends[leg] });
  }
}
