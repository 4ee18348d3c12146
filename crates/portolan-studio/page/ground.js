// The terrain as the page has it, and its picture: a pixel for each cell, drawn at any scale by the views. Not here:
// rules for edits; the server decides which edits are made.

import { terrainPixels } from "./palette.js";

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
   */
  constructor(grid, weights) {
    const { width, height } = grid;
    this.grid = grid;
    this.width = width;
    this.height = height;
    /** The weights as drawn on the page: the server may not have them yet, or may refuse them. */
    this.weights = weights.slice();
    /** The weights that the server has. */
    this.held = weights.slice();
    this.bitmap = new Bitmap(width, height);
    this.repaint();
  }

  /** Draws everything anew, as after a change of theme. */
  repaint() {
    this.byWeight = terrainPixels();
    const { pixels } = this.bitmap;
    for (let y = 0; y < this.height; y++) {
      const [first, end] = this.grid.columns(y);
      for (let cell = y * this.width + first; cell < y * this.width + end; cell++) pixels[cell] = this.byWeight[this.weights[cell]];
    }
    this.bitmap.spoilAll();
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
   * Draws edits: x, y, width, height, weight, one after the other.
   * @param {ArrayLike<number>} edits
   */
  apply(edits) {
    this.isEdited ||= edits.length > 0;
    this.#each(edits, (cell, weight) => {
      this.weights[cell] = weight;
      this.bitmap.set(cell, /** @type {Uint32Array} */ (this.byWeight)[weight]);
    });
  }

  /**
   * Takes over edits that the server has made.
   * @param {ArrayLike<number>} edits
   */
  hold(edits) {
    this.apply(edits);
    this.#isHeldEdited ||= edits.length > 0;
    this.#each(edits, (cell, weight) => (this.held[cell] = weight));
  }

  /** Removes what was drawn on the page and is not on the server. */
  takeBack() {
    this.weights.set(this.held);
    this.isEdited = this.#isHeldEdited;
    this.repaint();
  }

  /**
   * @param {ArrayLike<number>} edits
   * @param {(cell: number, weight: number) => void} act
   */
  #each(edits, act) {
    for (let i = 0; i + 4 < edits.length; i += 5) {
      const [x, y, width, height, weight] = [edits[i], edits[i + 1], edits[i + 2], edits[i + 3], edits[i + 4]];
      for (let row = y; row < y + height; row++) {
        // Cells that the grid does not have stay as they are.
        const [first, end] = this.grid.columns(row);
        const last = row * this.width + Math.min(x + width, end);
        for (let cell = row * this.width + Math.max(x, first); cell < last; cell++) act(cell, weight);
      }
    }
  }
}
