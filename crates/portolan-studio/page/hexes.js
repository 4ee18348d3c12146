// The geometry of hexes: a corner at the top, 1 wide, and odd rows half a cell further to the right. Not here: when to
// draw.
//
// The rows of hexes are drawn as strips of pixels, each from the top corners of its hexes to those of the next row. The
// strips differ from hexagons only in the caps, the triangles at the lower ends, which lie over the next strip. A cap is
// drawn where its colour is not that of the two hexes below it.

import { paperPixel } from "./palette.js";

/** @typedef {import("./grid.js").Area} Area */
/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {import("./grid.js").Context} Context */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("./grid.js").Sight} Sight */
/** @typedef {import("./protocol").AnySpot} AnySpot */
/** @typedef {import("./ground.js").Bitmap} Bitmap */

/** The side of a hexagon, which is also the distance from its middle to a corner. */
const SIDE = 1 / Math.sqrt(3);
/** The distance between the middles of two rows. */
const ROW = 1.5 * SIDE;
/** Hexagons with fewer pixels across are drawn without caps, which could not be seen. */
const CAPS = 4;

/** @param {number} y */
const shift = (y) => (y & 1) / 2;

/**
 * Returns the number of a cell along the axis that leans to the right.
 * @param {Cell} cell
 */
const axial = ([x, y]) => x - (y - (y & 1)) / 2;

/** @implements {Grid} */
export class Hexes {
  finest = 14;
  small = 2.5;
  stride = 2;
  unit = 1;

  /**
   * @param {number} width
   * @param {number} height
   * @param {boolean} isHexagon whether only cells near the middle belong to the grid, so that it is a hexagon itself
   */
  constructor(width, height, isHexagon = false) {
    this.width = width;
    this.height = height;
    this.isHexagon = isHexagon;
    this.across = width + (height > 1 ? 0.5 : 0);
    this.down = (height - 1) * ROW + 2 * SIDE;
  }

  /**
   * @param {number} y
   * @returns {[number, number]}
   */
  columns(y) {
    if (!this.isHexagon) return [0, this.width];
    const radius = this.width >> 1, fromMiddle = Math.abs(y - radius);
    const first = (fromMiddle + (radius & 1)) >> 1;
    return [first, first + this.width - fromMiddle];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  middle(x, y) {
    return [x + 0.5 + shift(y), y * ROW + SIDE];
  }

  /**
   * @param {Place} place
   * @returns {Cell}
   */
  at([x, y]) {
    const row = Math.floor(y / ROW);
    const column = x - shift(row);
    // The upper ends of hexes are roofs, between which the hexes of the row above come down.
    const roof = Math.abs(column - Math.floor(column) - 0.5) * SIDE;
    return y - row * ROW >= roof ? [Math.floor(column), row] : [Math.floor(x - shift(row - 1)), row - 1];
  }

  /**
   * @param {AnySpot} spot
   * @returns {Place}
   */
  place([x, y]) {
    return this.middle(x, y);
  }

  /**
   * @param {Place} place
   * @returns {AnySpot | null}
   */
  spot(place) {
    return this.at(place);
  }

  /**
   * @param {ArrayLike<number>} list
   * @param {number} i
   * @returns {Place}
   */
  point(list, i) {
    return this.middle(list[2 * i], list[2 * i + 1]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  name(x, y) {
    return `${x},${y}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  body(x, y) {
    return [x + 0.5, y + SIDE];
  }

  /** @param {Sight} sight */
  range({ left, top, right, bottom }) {
    return {
      left: Math.max(0, Math.floor(left - 0.5)), top: Math.max(0, Math.floor(top / ROW) - 1),
      right: Math.min(this.width - 1, Math.floor(right)), bottom: Math.min(this.height - 1, Math.floor(bottom / ROW)),
    };
  }

  /**
   * @param {Context} context
   * @param {Area} area
   * @param {number} px
   */
  path(context, [x, y, width, height], px) {
    for (let row = y; row < y + height; row++) {
      const left = x + shift(row), top = row * ROW;
      if (px * CAPS > 1) {
        context.rect(left, top, width, ROW);
        continue;
      }
      context.moveTo(left, top + SIDE / 2);
      for (let i = 0; i < width; i++) context.lineTo(left + i + 0.5, top), context.lineTo(left + i + 1, top + SIDE / 2);
      for (let i = width; i > 0; i--) context.lineTo(left + i, top + ROW), context.lineTo(left + i - 0.5, top + 2 * SIDE);
      context.lineTo(left, top + ROW);
      context.closePath();
    }
  }

  /**
   * @param {Context} context
   * @param {Sight} sight
   */
  lines(context, sight) {
    const { left, top, right, bottom } = this.range(sight);
    for (let y = top; y <= bottom + 1; y++) {
      const [first, end] = this.#border(y, left, right);
      // The border between two rows goes up and down: down to where the row below begins.
      const level = (/** @type {number} */ x) => y * ROW + (Number.isInteger(x - shift(y)) ? SIDE / 2 : 0);
      context.moveTo(first, level(first));
      for (let x = first + 0.5; x <= end; x += 0.5) context.lineTo(x, level(x));
      if (y > bottom) break;
      const [from, to] = this.columns(y);
      for (let x = Math.max(left, from); x <= Math.min(right + 1, to); x++) {
        context.moveTo(x + shift(y), y * ROW + SIDE / 2);
        context.lineTo(x + shift(y), (y + 1) * ROW);
      }
    }
  }

  /**
   * Returns from where to where the border above a row goes, between these columns.
   * @param {number} y
   * @param {number} left
   * @param {number} right
   */
  #border(y, left, right) {
    const rows = [y - 1, y].filter((row) => row >= 0 && row < this.height);
    const ends = rows.map((row) => this.columns(row).map((x, i) => (i === 0 ? Math.max(x, left) : Math.min(x, right + 1)) + shift(row)));
    return [Math.min(...ends.map(([first]) => first)), Math.max(...ends.map(([, end]) => end))];
  }

  /**
   * @param {Context} context
   * @param {Bitmap[]} layers
   * @param {Sight} sight
   */
  paint(context, layers, sight) {
    const range = this.range(sight);
    const { left, top, right, bottom } = range;
    const [width, height] = [right - left + 1, bottom - top + 1];
    if (width <= 0 || height <= 0) return false;
    const { a: unit } = context.getTransform();
    if (unit < 1) {
      // Here the shift of a row is less than half a pixel.
      for (const layer of layers) context.drawImage(layer.fresh(), left, top, width, height, left + 0.25, top * ROW, width, height * ROW);
      return false;
    }
    this.#strips(context, layers, range);
    if (unit >= CAPS) this.#caps(context, layers, range);
    return false;
  }

  /**
   * @param {Context} context
   * @param {Bitmap[]} layers
   * @param {Sight} range
   */
  #strips(context, layers, { left, top, right, bottom }) {
    const { a: unit, e: originX, f: originY } = context.getTransform();
    const width = right - left + 1;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const layer of layers) {
      const canvas = layer.fresh();
      for (let y = top; y <= bottom; y++) {
        // Strips end at whole pixels, so that none shows through between them.
        const [from, to] = [y, y + 1].map((row) => Math.round(row * ROW * unit + originY));
        context.drawImage(canvas, left, y, width, 1, (left + shift(y)) * unit + originX, from, width * unit, to - from);
      }
    }
    context.restore();
  }

  /**
   * @param {Context} context
   * @param {Bitmap[]} layers
   * @param {Sight} range
   */
  #caps(context, layers, { left, top, right, bottom }) {
    const { a: unit, e: originX, f: originY } = context.getTransform();
    const paper = paperPixel();
    // A row of colours has one cell more at either end, which is paper at the ends of the world.
    const colours = (/** @type {number} */ y) => Uint32Array.from({ length: right - left + 3 }, (_, i) => this.#colour(layers, left + i - 1, y, paper));
    /** The corners of caps by colour: their left ends and the row above. @type {Map<number, number[]>} */
    const caps = new Map();
    let above = colours(top - 1);
    for (let y = top - 1; y <= bottom; y++) {
      const below = colours(y + 1);
      const odd = y & 1;
      for (let i = 1 - odd; i < above.length - odd; i++) {
        const colour = above[i];
        if (colour === below[i - 1 + odd] && colour === below[i + odd]) continue;
        const list = caps.get(colour);
        if (list) list.push(left + i - 1 + shift(y), y + 1);
        else caps.set(colour, [left + i - 1 + shift(y), y + 1]);
      }
      above = below;
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (const [colour, list] of caps) {
      context.beginPath();
      for (let i = 0; i < list.length; i += 2) {
        const x = list[i] * unit + originX, y = Math.round(list[i + 1] * ROW * unit + originY);
        context.moveTo(x, y);
        context.lineTo(x + unit, y);
        context.lineTo(x + unit / 2, y + (SIDE / 2) * unit);
        context.closePath();
      }
      context.fillStyle = `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
      context.fill();
    }
    context.restore();
  }

  /**
   * Returns the colour of a cell under all layers, as a pixel; off the grid, that of the paper.
   * @param {Bitmap[]} layers
   * @param {number} x
   * @param {number} y
   * @param {number} paper
   */
  #colour(layers, x, y, paper) {
    if (y < 0 || y >= this.height || x < 0 || x >= this.width) return paper;
    let mixed = paper;
    for (const { pixels } of layers) {
      const pixel = pixels[y * this.width + x], alpha = pixel >>> 24;
      if (alpha === 0) continue;
      if (alpha === 255) mixed = pixel;
      else {
        const mix = (/** @type {number} */ by) => Math.round((((pixel >>> by) & 255) * alpha + ((mixed >>> by) & 255) * (255 - alpha)) / 255) << by;
        mixed = (mix(0) | mix(8) | mix(16) | 0xff000000) >>> 0;
      }
    }
    return mixed;
  }

  /**
   * @param {{ straight: number }} steps
   * @param {Cell} from
   * @param {AnySpot} to
   */
  cost({ straight }, from, [x, y]) {
    return this.#steps(from, [x, y]) * straight;
  }

  /**
   * @param {Cell} from
   * @param {Cell} to
   */
  #steps(from, to) {
    const q = axial(to) - axial(from), r = to[1] - from[1];
    return (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2;
  }

  /**
   * @param {Cell} from
   * @param {Cell} to
   */
  line(from, to) {
    const [[ax, ay], [bx, by]] = [this.middle(...from), this.middle(...to)];
    const steps = Math.max(1, this.#steps(from, to));
    // A line along the border of two rows is moved a little, so that it does not change between the rows by chance.
    const nudge = 1e-6;
    return Array.from({ length: steps + 1 }, (_, i) => this.at([ax + ((bx - ax) * i) / steps + nudge, ay + ((by - ay) * i) / steps + nudge]));
  }

  /**
   * @param {Cell} at
   * @param {number} size
   * @returns {Area[]}
   */
  brush(at, size) {
    const reach = (size - 1) >> 1, q = axial(at);
    return Array.from({ length: 2 * reach + 1 }, (_, i) => {
      const up = reach - i, y = at[1] - up;
      const first = q + Math.max(-reach, up - reach);
      return [first + (y - (y & 1)) / 2, y, 2 * reach + 1 - Math.abs(up), 1];
    });
  }

  /**
   * @param {number} y
   * @returns {[number, number]}
   */
  beside(y) {
    return y & 1 ? [0, 1] : [-1, 0];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} length
   */
  outline(x, y, length) {
    const round = (/** @type {number} */ value) => Number(value.toFixed(4));
    const [up, down] = [round(-SIDE / 2), round(SIDE / 2)];
    return `M${x + shift(y)} ${round(y * ROW + SIDE / 2)}${`l.5 ${up}l.5 ${down}`.repeat(length)}v${round(SIDE)}${`l-.5 ${down}l-.5 ${up}`.repeat(length)}z`;
  }
}
