// One pane: a canvas that shows the world and what lies over it. It draws when something has changed, at most once in a
// frame. Not here: what pointers do (tools.js).

import * as draw from "./overlay.js";
import * as drawBetween from "./overlay-between.js";
import * as drawGame from "./overlay-game.js";
import * as drawLook from "./overlay-look.js";
import * as drawMesh from "./overlay-mesh.js";
import * as drawMind from "./overlay-mind.js";
import { Meshes } from "./meshes.js";
import { palette, series } from "./palette.js";
import { el } from "./dom.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./ground.js").Ground} Ground */
/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./chart.js").Chart} Chart */
/**
 * What all panes show.
 * @typedef {{
 *   ground: Ground | null, from: import("./protocol").AnySpot, to: import("./protocol").AnySpot, chart: Chart,
 *   show: { route: boolean, tree: boolean, states: boolean, grid: boolean, corridor: boolean },
 *   hover: [number, number] | null, preview: Uint16Array | null,
 *   entities: ArrayLike<number>, game: import("./game.js").Shown | null, crowd: import("./crowd.js").Shown | null,
 *   minds: import("./mind.js").Shown | null,
 *   between: import("./between.js").Between, look: import("./look.js").Look | null,
 *   side: import("./tools-between.js").Pointed | null, link: import("./between.js").Link | null,
 * }} Scene
 */

/** How long the areas are seen that were redone after an edit, in milliseconds. */
const FLASH = 900;
/** How soon a picture that was drawn in haste is drawn again, in milliseconds. */
const AGAIN = 140;

export class View {
  /** @type {Trace | null} */
  trace = null;
  /** @type {ArrayLike<number>} */
  route = [];
  /** The polygons that the route passes, on a mesh. @type {ArrayLike<number>} */
  corridor = [];
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
   * Returns the place under a point of the screen.
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
    const { grid } = ground;
    const sheet = { context, grid, sight, px };
    this.#ground(sheet, ground);
    scene.chart.draw(sheet);
    if (scene.show.grid && camera.scale >= grid.finest) draw.cells(sheet);
    this.#between(sheet);
    const now = performance.now();
    this.flashes = this.flashes.filter(({ since }) => now - since < FLASH);
    for (const { areas, since } of this.flashes) draw.flash(sheet, areas, 1 - (now - since) / FLASH);
    let note = "";
    if (this.trace && !scene.game && !scene.minds && scene.show.tree && !draw.searchTree(sheet, this.trace)) note = "Zoom in to see the tree";
    this.caption.dataset.note = note;
    if (scene.preview) draw.preview(sheet, scene.preview);
    if (scene.game) drawGame.game(sheet, scene.game);
    else drawGame.level(sheet, scene.entities);
    if (scene.minds) drawMind.minds(sheet, scene.minds, this.place);
    else if (scene.show.route && !scene.game) this.#routes(sheet);
    if (scene.crowd) drawMesh.crowd(sheet, scene.crowd);
    this.#marks(sheet, ground);
    this.frames.push(performance.now() - begun);
    if (this.frames.length > 240) this.frames.shift();
    // A few frames a second are enough for fading, and leave time for everything else.
    if (this.flashes.length > 0) setTimeout(() => this.ask(), 60);
  }

  /**
   * Draws the terrain and what a mind knows or, unless a game or a crowd is on, what the search has done to its cells.
   * @param {draw.Sheet} sheet
   * @param {Ground} ground
   */
  #ground(sheet, ground) {
    const { trace, scene, camera } = this;
    const isShown = trace && scene.show.states && !scene.game && !scene.crowd && !scene.minds;
    const isLarge = isShown && trace.isSparse && camera.scale < sheet.grid.small && trace.shade === "states";
    const known = scene.minds && drawMind.known(scene.minds, this.place);
    const shades = scene.look?.bitmap && !scene.game && !scene.crowd ? [scene.look.bitmap] : [];
    const layers = known ? [ground.bitmap, known] : [ground.bitmap, ...shades, ...scene.chart.underlays];
    const isHasty = sheet.grid.paint(sheet.context, isShown && !isLarge ? [...layers, trace.bitmap] : layers, sheet.sight, scene.show.grid);
    if (isHasty) setTimeout(() => this.ask(), AGAIN);
    if (isLarge) draw.largeStates(sheet, trace);
  }

  /**
   * Draws what lies between cells, and what is known of single cells.
   * @param {draw.Sheet} sheet
   */
  #between(sheet) {
    const { between, look, side, link, game, crowd, minds } = this.scene;
    if (!game && !crowd && !minds) {
      if (look?.field) drawLook.arrows(sheet, look.field);
      if (look?.sizes) drawLook.sizes(sheet, look.sizes);
    }
    if (between.floors) drawBetween.floors(sheet, between.floors);
    drawBetween.borders(sheet, between);
    drawBetween.links(sheet, between.links);
    if (link) drawBetween.links(sheet, [link], true);
    if (side) drawBetween.pointed(sheet, between.isHex, side);
  }

  /** @param {draw.Sheet} sheet */
  #routes(sheet) {
    const { scene, trace } = this;
    const colour = this.place < 0 ? palette().route : series()[this.place];
    if (this.walked.length > 2) draw.route(sheet, this.walked, { colour: palette().walked, width: 2 });
    // A search ends with its route, which is not shown before.
    const isThere = this.agent || !trace || trace.at >= trace.length;
    const { grid } = sheet;
    if (isThere && grid instanceof Meshes && scene.show.corridor) drawMesh.corridor(sheet, grid, this.corridor, [grid.place(scene.from), grid.place(scene.to)]);
    if (isThere && !scene.chart.hidesRoute()) draw.route(sheet, this.route, { colour, width: 3.5, from: this.routeFrom });
    scene.chart.drawLegs(sheet);
  }

  /**
   * Draws the cell under the pointer and, unless a game is on, start, goal, agent and the cell of the latest event.
   * @param {draw.Sheet} sheet
   * @param {Ground} ground
   */
  #marks(sheet, ground) {
    const { scene, trace } = this;
    if (scene.hover && ground.has(...scene.hover)) draw.border(sheet, scene.hover);
    if (scene.game) return;
    const current = trace && !scene.minds && trace.at < trace.length ? trace.latestCell() : -1;
    if (current >= 0) draw.ring(sheet, [current % ground.width, (current / ground.width) | 0]);
    if (!this.agent) draw.mark(sheet, scene.from, "start");
    draw.mark(sheet, scene.to, "goal");
    if (this.agent) draw.agent(sheet, this.agent, series()[Math.max(this.place, 0)]);
  }
}
