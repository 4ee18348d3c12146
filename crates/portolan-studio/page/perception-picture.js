// The picture of one path in the perceptual test: the world, the path, start and goal, as large as there is room. Not here: which path
// is shown.

import { Ground } from "./ground.js";
import { Hexes } from "./hexes.js";
import { mark, route } from "./overlay.js";
import { palette } from "./palette.js";

/** Room around the world, in pixels. */
const MARGIN = 10;

export class Picture {
  /** @type {Ground | null} */
  #ground = null;
  /** @type {ArrayLike<number>} */
  #walk = [];

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#ground?.repaint();
      this.draw();
    });
  }

  /**
   * Shows a path in a world of hexes.
   * @param {{ width: number, height: number, weights: Uint8Array }} world
   * @param {ArrayLike<number>} walk cells
   */
  show({ width, height, weights }, walk) {
    this.#ground = new Ground(new Hexes(width, height), weights);
    this.#walk = walk;
    this.draw();
  }

  draw() {
    const { canvas, context } = this;
    const ratio = devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    if (!this.#ground || width === 0) return;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    context.fillStyle = palette().paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const { grid, bitmap } = this.#ground;
    const scale = Math.min((width - 2 * MARGIN) / grid.across, (height - 2 * MARGIN) / grid.down);
    const [left, top] = [(width - grid.across * scale) / 2, (height - grid.down * scale) / 2];
    context.setTransform(scale * ratio, 0, 0, scale * ratio, left * ratio, top * ratio);
    context.imageSmoothingEnabled = false;
    const sight = { left: 0, top: 0, right: grid.across, bottom: grid.down };
    const sheet = { context, grid, sight, px: 1 / scale };
    grid.paint(context, [bitmap], sight, false);
    route(sheet, this.#walk, { colour: palette().route, width: 3 });
    const last = this.#walk.length - 2;
    mark(sheet, [this.#walk[0], this.#walk[1]], "start");
    mark(sheet, [this.#walk[last], this.#walk[last + 1]], "goal");
    context.setTransform(1, 0, 0, 1, 0, 0);
  }
}
