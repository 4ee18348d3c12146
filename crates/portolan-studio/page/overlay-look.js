// Draws what is known of single cells when they are large enough: the arrows of a field, and how large a body fits. Not here: the
// shades of cells, which are a bitmap (look.js).

import { NONE } from "./look.js";
import { palette } from "./palette.js";

/** @typedef {import("./overlay.js").Sheet} Sheet */

/** From so many pixels of a cell on, arrows and numbers are drawn. */
const LARGE = 13;

/**
 * Draws in each cell in sight an arrow to the next one. The next cell of one where a link begins may lie far away: there the arrow
 * has a ring around its begin.
 * @param {Sheet} sheet
 * @param {{ next: Uint32Array }} field
 */
export function arrows({ context, grid, sight, px }, { next }) {
  if (1 / px < LARGE) return;
  const { left, top, right, bottom } = grid.range(sight);
  const path = new Path2D();
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const to = next[y * grid.width + x];
      if (to === NONE || to === undefined) continue;
      const [ax, ay] = grid.middle(x, y), [bx, by] = grid.middle(to % grid.width, (to / grid.width) | 0);
      const length = Math.hypot(bx - ax, by - ay) || 1, [dx, dy] = [(bx - ax) / length, (by - ay) / length];
      const [tx, ty] = [ax + dx * 0.3, ay + dy * 0.3];
      path.moveTo(ax - dx * 0.28, ay - dy * 0.28);
      path.lineTo(tx, ty);
      path.moveTo(tx - 0.2 * (dx - dy * 0.75), ty - 0.2 * (dy + dx * 0.75));
      path.lineTo(tx, ty);
      path.lineTo(tx - 0.2 * (dx + dy * 0.75), ty - 0.2 * (dy - dx * 0.75));
      if (length > 1.5) {
        path.moveTo(ax + 0.38, ay);
        path.arc(ax, ay, 0.38, 0, 2 * Math.PI);
      }
    }
  }
  context.lineCap = context.lineJoin = "round";
  for (const [colour, width] of /** @type {const} */ ([[palette().halo, 0.13], [palette().ink, 0.065]])) {
    context.strokeStyle = colour;
    context.lineWidth = Math.max(width, width * 14 * px);
    context.stroke(path);
  }
}

/**
 * Draws in each cell in sight the size of the largest body that fits there.
 * @param {Sheet} sheet
 * @param {Uint8Array} sizes
 */
export function sizes({ context, grid, sight, px }, sizes) {
  if (1 / px < LARGE) return;
  const { left, top, right, bottom } = grid.range(sight);
  context.font = "600 0.5px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const size = sizes[y * grid.width + x];
      if (!size) continue;
      const [mx, my] = grid.middle(x, y);
      context.fillStyle = size > 5 ? "#14203a" : "#fff";
      context.fillText(size > 8 ? "9+" : String(size), mx, my + 0.03);
    }
  }
  context.textAlign = "start";
}
