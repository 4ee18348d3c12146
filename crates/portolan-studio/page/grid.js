// The kinds of grids, and which one a world has. All other modules ask a grid where its cells lie; the polygons of a mesh
// are cells too. A place is two numbers, across and down, in widths of a cell. Not here: the geometry of one kind
// (squares.js, hexes.js, meshes.js).

import { Hexes } from "./hexes.js";
import { Meshes } from "./meshes.js";
import { Squares } from "./squares.js";

/** @typedef {import("./protocol").AnySpot} AnySpot */
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
 *   readonly small: number,
 *   readonly stride: number,
 *   readonly unit: number,
 *   columns(y: number): [first: number, end: number],
 *   middle(x: number, y: number): Place,
 *   at(place: Place): Cell,
 *   place(spot: AnySpot): Place,
 *   spot(place: Place): AnySpot | null,
 *   point(list: ArrayLike<number>, i: number): Place,
 *   body(x: number, y: number, z: number): Place,
 *   name(x: number, y: number): string,
 *   range(sight: Sight): Sight,
 *   path(context: Context, area: Area, px: number): void,
 *   lines(context: Context, sight: Sight): void,
 *   paint(context: Context, layers: import("./ground.js").Bitmap[], sight: Sight, isLined: boolean): boolean,
 *   cost(steps: { straight: number, diagonal?: number, directions?: number }, from: Cell, to: AnySpot): number,
 *   line(from: Cell, to: Cell, isThin: boolean): Cell[],
 *   brush(at: Cell, size: number): Area[],
 *   beside(y: number): [first: number, last: number],
 *   outline(x: number, y: number, length: number): string,
 * }} Grid
 * `width`, `height`: columns and rows. `across`, `down`: the extent as places. `finest`: pixels of a cell from which on
 * the lines between cells are drawn. `small`: pixels of a cell below which single cells are hard to see.
 * `stride`: numbers of a point of a route. `unit`: the length of what agents of a crowd measure in.
 * `columns`: the columns of a row that are cells, of which a grid may not have all.
 * `middle`: the middle of a cell. `at`: the cell at a place, which may lie off the grid. `place` and `spot`: where a start
 * or goal lies, and what a start or goal at a place is called. `point`: a point of a route, by its number. `body`: where
 * an agent of a crowd is. `name`: what people call a cell. `range`: the columns and rows in
 * sight, with the last of each.
 * `path`: adds an area to the canvas's path. `lines`: adds the lines between cells in sight. `paint`: draws bitmaps with
 * a pixel for each cell, one over the other, and on a mesh the lines between cells; returns whether to draw again soon.
 * `cost`: the least that a route over ground of weight 1 can cost.
 * `line`: the cells along a line; a thin one has no gap that an agent could pass. `brush`: the areas of a brush.
 * `beside`: by how many columns the cells of the rows above and below that touch a cell are off, from the first to the
 * last.
 * `outline`: the outline of cells in a row, for an SVG file.
 */

/**
 * Returns the grid of a world.
 * @param {{ width: number, height: number, grid?: "hex" | "hexagon", mesh?: { polygons: number } }} world
 * @param {import("./frame.js").Parts} parts
 * @returns {Grid}
 */
export const gridOf = ({ width, height, grid, mesh }, parts) => (mesh ? new Meshes(mesh.polygons, parts) : grid ? new Hexes(width, height, grid === "hexagon") : new Squares(width, height));
