// One pane: a canvas that shows the world and what lies over it. It draws when something has changed, at most once in a
// frame. Not here: what pointers do (tools.js).

import * as draw from "./overlay.js";
import { palette, series, tones } from "./palette.js";
import { el } from "./dom.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./ground.js").Ground} Ground */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./chart.js").Chart} Chart */
/**
 * What all panes show.
 * @typedef {{
 *   ground: Ground | null, from: [number, number], to: [number, number], chart: Chart,
 *   show: { route: boolean, tree: boolean, states: boolean, grid: boolean },
 *   hover: [number, number] | null, preview: Uint16Array | null,
 * }} Scene
 */

/** How long the areas are seen that were redone after an edit, in milliseconds. */
const FLASH = 900;
/** Cells with a side of fewer pixels are hard to see one by one. */
const SMALL = 2.5;

export class View {
  /** @type {Trace | null} */
  trace = null;
  /** @type {ArrayLike<number>} */
  route = [];
  /** The first cell of the route that is still to be walked. */
  routeFrom = 0;
  /** @type {ArrayLike<number>} */
  walked = [];
  /** @type {{ x: number, y: number, isStuck: boolean } | null} */
  agent = null;
  /** @type {{ areas: ArrayLike<number>, since: number }[]} */
  flashes = [];
  #asked = false;
  /** The times that the latest frames took to draw, for measurements. @type {number[]} */
  frames = [];

  /**
   * @param {Scene} scene
   * @param {Camera} camera
   * @param {number} place
   */
  constructor(scene, camera, place) {
    this.scene = scene;
    this.camera = camera;
    this.place = place;
    this.canvas = el("canvas", { tabIndex: 0, "aria-label": "The world. Arrow keys move, plus and minus zoom." });
    this.caption = el("div", { class: "caption" });
    this.element = el("div", { class: "pane" }, this.canvas, this.caption);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
    camera.watch(() => this.ask());
    new ResizeObserver(() => this.#resize()).observe(this.element);
  }

  #resize() {
    const ratio = devicePixelRatio || 1;
    const { width, height } = this.element.getBoundingClientRect();
    if (width === 0) return;
    this.across = width;
    this.down = height;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.draw();
  }

  /** Draws with the next frame. */
  ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.draw();
    });
  }

  /**
   * Returns the place under a point of the screen, in cells.
   * @param {{ clientX: number, clientY: number }} point
   * @returns {[number, number]}
   */
  placeOf({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const { camera } = this;
    return [camera.x + (clientX - box.left - box.width / 2) / camera.scale, camera.y + (clientY - box.top - box.height / 2) / camera.scale];
  }

  /** @param {ArrayLike<number>} areas */
  flash(areas) {
    if (areas.length > 0) this.flashes.push({ areas, since: performance.now() });
    this.ask();
  }

  draw() {
    const { context, scene, camera } = this;
    const { ground } = scene;
    const colours = palette();
    const begun = performance.now();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (!ground) return;
    const ratio = devicePixelRatio || 1;
    const unit = camera.scale * ratio;
    const px = 1 / camera.scale;
    const [left, top] = [camera.x - this.canvas.width / 2 / unit, camera.y - this.canvas.height / 2 / unit];
    const sight = { left: left - 1, top: top - 1, right: left + this.canvas.width / unit, bottom: top + this.canvas.height / unit };
    context.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
    context.imageSmoothingEnabled = unit < 1;
    this.#bitmap(ground.bitmap.fresh(), sight);
    if (this.trace && scene.show.states) {
      const bitmap = this.trace.bitmap.fresh();
      if (this.trace.isSparse && camera.scale < SMALL && this.trace.shade === "states") draw.largeStates(context, this.trace, 4 * px);
      else this.#bitmap(bitmap, sight);
    }
    scene.chart.draw(context, sight, px);
    if (scene.show.grid && camera.scale >= 9) this.#grid(sight, px);
    const now = performance.now();
    this.flashes = this.flashes.filter(({ since }) => now - since < FLASH);
    for (const { areas, since } of this.flashes) draw.flash(context, areas, 1 - (now - since) / FLASH);
    let note = "";
    if (this.trace && scene.show.tree && !draw.searchTree(context, this.trace, sight, px)) note = "Zoom in to see the tree";
    this.caption.dataset.note = note;
    if (scene.preview) this.#preview(scene.preview);
    if (scene.show.route) {
      const colour = this.place < 0 ? colours.route : series()[this.place];
      if (this.walked.length > 2) draw.route(context, this.walked, px, { colour: colours.walked, width: 2 });
      // A search ends with its route, which is not shown before.
      const isThere = this.agent || !this.trace || this.trace.at >= this.trace.length;
      if (isThere && !scene.chart.hidesRoute()) draw.route(context, this.route, px, { colour, width: 3.5, from: this.routeFrom });
      scene.chart.drawLegs(context, px);
    }
    const current = this.trace && this.trace.at < this.trace.length ? this.trace.latestCell() : -1;
    if (current >= 0) this.#ring(current, px);
    if (!this.agent) draw.mark(context, scene.from, "start", px);
    draw.mark(context, scene.to, "goal", px);
    if (this.agent) draw.agent(context, this.agent.x, this.agent.y, px, series()[Math.max(this.place, 0)], this.agent.isStuck);
    if (scene.hover && ground.has(...scene.hover)) {
      context.strokeStyle = colours.ink;
      context.lineWidth = 1.5 * px;
      context.strokeRect(scene.hover[0], scene.hover[1], 1, 1);
    }
    this.frames.push(performance.now() - begun);
    if (this.frames.length > 240) this.frames.shift();
    // A few frames a second are enough for fading, and leave time for everything else.
    if (this.flashes.length > 0) setTimeout(() => this.ask(), 60);
  }

  /**
   * Draws the part of a bitmap that is in sight: scaling the whole bitmap would take longer.
   * @param {HTMLCanvasElement} bitmap
   * @param {draw.Window} sight
   */
  #bitmap(bitmap, { left, top, right, bottom }) {
    const x = Math.max(0, Math.floor(left)), y = Math.max(0, Math.floor(top));
    const width = Math.min(bitmap.width, Math.ceil(right) + 1) - x, height = Math.min(bitmap.height, Math.ceil(bottom) + 1) - y;
    if (width > 0 && height > 0) this.context.drawImage(bitmap, x, y, width, height, x, y, width, height);
  }

  /**
   * @param {draw.Window} sight
   * @param {number} px
   */
  #grid(sight, px) {
    const { context } = this;
    const { width, height } = /** @type {Ground} */ (this.scene.ground);
    const [left, right] = [Math.max(0, Math.floor(sight.left)), Math.min(width, Math.ceil(sight.right))];
    const [top, bottom] = [Math.max(0, Math.floor(sight.top)), Math.min(height, Math.ceil(sight.bottom))];
    context.beginPath();
    for (let x = left; x <= right; x++) context.moveTo(x, top), context.lineTo(x, bottom);
    for (let y = top; y <= bottom; y++) context.moveTo(left, y), context.lineTo(right, y);
    context.strokeStyle = palette().grid;
    context.lineWidth = px;
    context.stroke();
  }

  /** @param {Uint16Array} edits */
  #preview(edits) {
    this.context.globalAlpha = 0.6;
    this.context.fillStyle = tones().open;
    for (let i = 0; i + 4 < edits.length; i += 5) this.context.fillRect(edits[i], edits[i + 1], edits[i + 2], edits[i + 3]);
    this.context.globalAlpha = 1;
  }

  /**
   * @param {number} cell
   * @param {number} px
   */
  #ring(cell, px) {
    const width = /** @type {Ground} */ (this.scene.ground).width;
    const r = Math.max(0.7, 6 * px);
    this.context.beginPath();
    this.context.arc((cell % width) + 0.5, ((cell / width) | 0) + 0.5, r, 0, 2 * Math.PI);
    this.context.strokeStyle = palette().ink;
    this.context.lineWidth = 2 * px;
    this.context.stroke();
  }
}
