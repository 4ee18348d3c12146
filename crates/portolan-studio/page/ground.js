// The terrain as the page has it, and its picture: a pixel for each cell, drawn at any scale by the views. Not here:
// rules for edits; the server decides which edits are made.

import { barredPixel, kindPixel, terrainPixels } from "./palette.js";

/** A bitmap with a pixel for each cell, of which only what changed is drawn anew. */
export class Bitmap {
  static count = 0;
  /** Which bitmap this is. */
  number = ++Bitmap.count;
  /** A number that is another after every change. */
  version = 0;
  /** Whether it changes with every frame while a search is played. */
  isLively = false;
  // The rectangle that changed, which is empty while `right` is less than `left`.
  left = 0;
  top = 0;
  right = -1;
  bottom = -1;

  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.canvas = document.createElement("canvas");
    this.canvas.width = width;
    this.canvas.height = height;
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.image = this.context.createImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.#clean();
  }

  #clean() {
    this.left = this.width;
    this.top = this.height;
    this.right = this.bottom = -1;
  }

  /**
   * @param {number} cell
   * @param {number} pixel
   */
  set(cell, pixel) {
    if (this.pixels[cell] === pixel) return;
    this.pixels[cell] = pixel;
    this.version++;
    const x = cell % this.width, y = (cell / this.width) | 0;
    if (x < this.left) this.left = x;
    if (x > this.right) this.right = x;
    if (y < this.top) this.top = y;
    if (y > this.bottom) this.bottom = y;
  }

  /** Marks everything as changed, after writing to `pixels` directly. */
  spoilAll() {
    this.version++;
    this.left = this.top = 0;
    this.right = this.width - 1;
    this.bottom = this.height - 1;
  }

  /** Brings the canvas up to date and returns it. */
  fresh() {
    if (this.right >= this.left) {
      const { left, top, right, bottom } = this;
      this.context.putImageData(this.image, 0, 0, left, top, right - left + 1, bottom - top + 1);
      this.#clean();
    }
    return this.canvas;
  }
}

export class Ground {
  /** Whether the terrain was edited since it was opened. */
  isEdited = false;
  #isHeldEdited = false;

  /**
   * @param {import("./grid.js").Grid} grid
   * @param {Uint8Array} weights
   * @param {Uint8Array} [kinds]
   */
  constructor(grid, weights, kinds = new Uint8Array(weights.length)) {
    const { width, height } = grid;
    this.grid = grid;
    this.width = width;
    this.height = height;
    /** The weights as drawn on the page: the server may not have them yet, or may refuse them. */
    this.weights = weights.slice();
    /** The weights that the server has. */
    this.held = weights.slice();
    /** The kinds of ground as drawn on the page, and as the server has them. */
    this.kinds = kinds.slice();
    this.heldKinds = kinds.slice();
    /** The weights that the agent of a profile sees, if the page shows the world to one. @type {Uint8Array | null} */
    this.seen = null;
    this.bitmap = new Bitmap(width, height);
    this.repaint();
  }

  /** Draws everything anew, as after a change of theme. */
  repaint() {
    this.byWeight = terrainPixels();
    const { pixels } = this.bitmap;
    for (let y = 0; y < this.height; y++) {
      const [first, end] = this.grid.columns(y);
      for (let cell = y * this.width + first; cell < y * this.width + end; cell++) pixels[cell] = this.#pixel(cell);
    }
    this.bitmap.spoilAll();
  }

  /**
   * Returns the colour of a cell.
   * @param {number} cell
   */
  #pixel(cell) {
    const weight = this.weights[cell], plain = /** @type {Uint32Array} */ (this.byWeight)[weight];
    if (weight === 0) return plain;
    const ground = kindPixel(plain, this.kinds[cell]);
    return this.seen?.[cell] === 0 ? barredPixel(ground) : ground;
  }

  /**
   * Shows the ground as an agent sees it.
   * @param {Uint8Array | undefined} weights none for the agent that goes anywhere
   */
  see(weights) {
    this.seen = weights && weights.length > 0 ? weights : null;
    this.repaint();
  }

  /** Returns the kinds of ground that there are, but for kind 0. */
  kindsThere() {
    const isThere = new Uint8Array(256);
    for (let cell = 0; cell < this.kinds.length; cell++) if (this.weights[cell] > 0) isThere[this.kinds[cell]] = 1;
    return Array.from(isThere.keys()).filter((kind) => kind > 0 && isThere[kind]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  kind(x, y) {
    return this.kinds[y * this.width + x];
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  has(x, y) {
    if (y < 0 || y >= this.height) return false;
    const [first, end] = this.grid.columns(y);
    return x >= first && x < end;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  weight(x, y) {
    return this.weights[y * this.width + x];
  }

  /**
   * Draws edits: x, y, width, height, and the weight with 256 times the kind, one after the other.
   * @param {ArrayLike<number>} edits
   */
  apply(edits) {
    this.isEdited ||= edits.length > 0;
    this.#each(edits, (cell, weight, kind) => {
      [this.weights[cell], this.kinds[cell]] = [weight, kind];
      this.bitmap.set(cell, this.#pixel(cell));
    });
  }

  /**
   * Takes over edits that the server has made.
   * @param {ArrayLike<number>} edits
   */
  hold(edits) {
    this.apply(edits);
    this.#isHeldEdited ||= edits.length > 0;
    this.#each(edits, (cell, weight, kind) => ([this.held[cell], this.heldKinds[cell]] = [weight, kind]));
  }

  /** Notes that the server has made edits of something else than terrain. */
  noteEdited() {
    this.isEdited = this.#isHeldEdited = true;
  }

  /** Removes what was drawn on the page and is not on the server. */
  takeBack() {
    this.weights.set(this.held);
    this.kinds.set(this.heldKinds);
    this.isEdited = this.#isHeldEdited;
    this.repaint();
  }

  /**
   * @param {ArrayLike<number>} edits
   * @param {(cell: number, weight: number, kind: number) => void} act
   */
  #each(edits, act) {
    for (let i = 0; i + 4 < edits.length; i += 5) {
      const [x, y, width, height, terrain] = [edits[i], edits[i + 1], edits[i + 2], edits[i + 3], edits[i + 4]];
      const weight = terrain & 255, kind = weight === 0 ? 0 : terrain >> 8;
      for (let row = y; row < y + height; row++) {
        // Cells that the grid does not have stay as they are.
        const [first, end] = this.grid.columns(row);
        const last = row * this.width + Math.min(x + width, end);
        for (let cell = row * this.width + Math.max(x, first); cell < last; cell++) act(cell, weight, kind);
      }
    }
  }
}
