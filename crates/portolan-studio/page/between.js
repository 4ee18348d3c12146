// What lies between the cells of the world as the page has it: borders, links, floors, and the names of kinds of ground. Not here:
// drawing it (overlay-between.js), and which edits a tool makes (tools-between.js).

/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {import("./protocol").World} World */
/** @typedef {import("./frame.js").Parts} Parts */
/** @typedef {{ x: number, y: number, side: number, border: number }} Border `side` and `border` are numbers as in the protocol. */
/** @typedef {{ from: Cell, to: Cell, cost: number, isBothWays: boolean }} Link */

/** The names of borders by number. */
export const BORDERS = /** @type {const} */ (["open", "closed", "out", "in"]);

/** The columns and rows that lie beyond the sides of squares, clockwise from north; half of the sides are corners. */
const SQUARE = /** @type {(Cell | null)[]} */ ([[0, -1], null, [1, 0], null, [0, 1], null, [-1, 0], null]);

/**
 * Returns the cell beyond a side of a cell, which may lie off the grid; null if the cell has no such side.
 * @param {boolean} isHex
 * @param {Cell} at
 * @param {number} side
 * @returns {Cell | null}
 */
export function beyond(isHex, [x, y], side) {
  const odd = y & 1;
  const step = isHex ? /** @type {(Cell | null)[]} */ ([null, [odd, -1], [1, 0], [odd, 1], null, [odd - 1, 1], [-1, 0], [odd - 1, -1]])[side] : SQUARE[side];
  return step && [x + step[0], y + step[1]];
}

export class Between {
  /** @type {Border[]} */
  borders = [];
  /** Links, each once: one that leads back at the same cost is a part of the first. @type {Link[]} */
  links = [];
  /** The lists as the server sent them. */
  sent = { borders: /** @type {Uint16Array} */ (new Uint16Array()), links: /** @type {Uint32Array} */ (new Uint32Array()) };
  /** @type {{ count: number, width: number, height: number, stride: number } | null} */
  floors = null;
  /** The names of kinds of ground by number. @type {Map<number, string>} */
  names = new Map();
  isHex = false;

  /**
   * Takes over a world that was opened.
   * @param {World} world
   * @param {Parts} parts
   */
  open(world, parts) {
    this.isHex = Boolean(world.grid);
    this.names = new Map(world.kinds);
    const [count, width, height] = world.floors ?? [0, 0, 0];
    this.floors = count > 0 ? { count, width, height, stride: height + 2 - (height % 2) } : null;
    this.take({ borders: parts.borders ?? new Uint16Array(), links: parts.links ?? new Uint32Array() });
  }

  /**
   * Takes over the lists of the server, if it sent some.
   * @param {Parts} parts
   */
  take({ borders, links }) {
    if (!borders || !links) return;
    this.sent = { borders: /** @type {Uint16Array} */ (borders), links: /** @type {Uint32Array} */ (links) };
    this.borders = [];
    for (let i = 0; i + 3 < borders.length; i += 4) this.borders.push({ x: borders[i], y: borders[i + 1], side: borders[i + 2], border: borders[i + 3] });
    /** @type {Map<string, Link>} */
    const byEnds = new Map();
    for (let i = 0; i + 4 < links.length; i += 5) {
      const [from, to] = /** @type {Cell[]} */ ([[links[i], links[i + 1]], [links[i + 2], links[i + 3]]]);
      const back = byEnds.get(`${to} ${from}`);
      if (back?.cost === links[i + 4]) back.isBothWays = true;
      else byEnds.set(`${from} ${to}`, { from, to, cost: links[i + 4], isBothWays: false });
    }
    this.links = [...byEnds.values()];
  }

  /**
   * Returns the lists in the form in which a page sends a world, or nothing if they are empty.
   * @returns {Parts}
   */
  parts() {
    const { borders, links } = this.sent;
    if (borders.length + links.length === 0) return {};
    const six = [], ends = [];
    for (let i = 0; i + 3 < borders.length; i += 4) six.push(borders[i], borders[i + 1], 1, 1, borders[i + 2], borders[i + 3]);
    for (let i = 0; i + 4 < links.length; i += 5) ends.push(...links.subarray(i, i + 5), 0);
    return { borders: Uint16Array.from(six), links: Uint32Array.from(ends) };
  }

  /**
   * Returns the links that lead from a cell or to it.
   * @param {Cell} at
   */
  linksAt([x, y]) {
    return this.links.filter(({ from, to }) => (from[0] === x && from[1] === y) || (to[0] === x && to[1] === y));
  }
}
