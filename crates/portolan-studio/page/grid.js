// The kinds of grids, and which one a world has. All other modules ask a grid where its cells lie. A place is two
// numbers, across and down, in widths of a cell. Not here: the geometry of one kind (squares.js, hexes.js).

import { Hexes } from "./hexes.js";
import { Squares } from "./squares.js";

/** @typedef {[x: number, y: number]} Cell A column and a row. */
/** @typedef {[x: number, y: number]} Place */
/** @typedef {[x: number, y: number, width: number, height: number]} Area Columns and rows. */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Sight What is in sight, as places. */
/** @typedef {CanvasRenderingContext2D} Context A canvas, scaled so that one unit is the width of a cell. */
/**
 * @typedef {{
 *   readonly width: number,
 *   readonly height: number,
 *   readonly across: number,
 *   readonly down: number,
 *   readonly finest: number,
 *   columns(y: number): [first: number, end: number],
 *   middle(x: number, y: number): Place,
 *   at(place: Place): Cell,
 *   range(sight: Sight): Sight,
 *   path(context: Context, area: Area, px: number): void,
 *   lines(context: Context, sight: Sight): void,
 *   paint(context: Context, layers: import("./ground.js").Bitmap[], sight: Sight): void,
 *   cost(steps: { straight: number, diagonal?: number, directions?: number }, from: Cell, to: Cell): number,
 *   line(from: Cell, to: Cell, isThin: boolean): Cell[],
 *   brush(at: Cell, size: number): Area[],
 *   beside(y: number): [first: number, last: number],
 *   outline(x: number, y: number, length: number): string,
 * }} Grid
 * `width`, `height`: columns and rows. `across`, `down`: the extent as places. `finest`: pixels of a cell from which on
 * the lines between cells are drawn.
 * `columns`: the columns of a row that are cells, of which a grid may not have all.
 * `middle`: the middle of a cell. `at`: the cell at a place, which may lie off the grid. `range`: the columns and rows in
 * sight, with the last of each.
 * `path`: adds an area to the canvas's path. `lines`: adds the lines between cells in sight. `paint`: draws bitmaps with
 * a pixel for each cell, one over the other.
 * `cost`: the least that a route over ground of weight 1 can cost.
 * `line`: the cells along a line; a thin one has no gap that an agent could pass. `brush`: the areas of a brush.
 * `beside`: by how many columns the cells of the rows above and below that touch a cell are off, from the first to the
 * last.
 * `outline`: the outline of cells in a row, for an SVG file.
 */

/**
 * Returns the grid of a world.
 * @param {{ width: number, height: number, grid?: "hex" | "hexagon" }} world
 * @returns {Grid}
 */
export const gridOf = ({ width, height, grid }) => (grid ? new Hexes(width, height, grid === "hexagon") : new Squares(width, height));
