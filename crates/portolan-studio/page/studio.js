// The state of the page: the world, the question, the answer, and everything that sends commands to the server. Panels
// and tools call it and listen to it. Not here: elements of the page.

import { Between } from "./between.js";
import { Camera } from "./camera.js";
import { Chart } from "./chart.js";
import { gridOf } from "./grid.js";
import { Ground } from "./ground.js";
import { Link } from "./link.js";
import { Look } from "./look.js";
import { Meshes } from "./meshes.js";
import { Questions } from "./questions.js";
import { Strokes } from "./strokes.js";
import { Trace } from "./trace.js";
import { View } from "./view.js";

/** @typedef {import("./protocol").AnySpot} AnySpot */
/** @typedef {import("./protocol").Spot} Spot */
/** @typedef {import("./protocol").WorldRef} WorldRef */
/** @typedef {import("./protocol").World} World */
/** @typedef {import("./protocol").Finding} Finding */
/** @typedef {import("./protocol").Catalogue} Catalogue */
/** @typedef {import("./protocol").Entrant} Entrant */
/** @typedef {import("./protocol").Corners} Corners */
/** @typedef {import("./frame.js").Parts} Parts */
/** @typedef {"ready" | "lost" | "world" | "question" | "found" | "edited" | "chart" | "busy" | "say" | "panes" | "theme" | "trace" | "look"} Topic */

export const FIRST_WORLD = /** @type {WorldRef} */ ({ kind: "builtin", name: "harbour" });

export class Studio {
  /** @type {Catalogue | null} */
  catalogue = null;
  /** @type {World | null} */
  world = null;
  /** How agents step on squares, and for which agents meshes are built; the server knows one if none is given. */
  rules = { corners: /** @type {Corners} */ ("strict"), directions: /** @type {4 | 8} */ (8), agent: /** @type {import("./protocol").MeshAgent | undefined} */ (undefined) };
  algorithm = "a-star";
  /** The chosen settings, by algorithm. @type {Record<string, Record<string, string>>} */
  settings = {};
  nearest = false;
  /** @type {Finding | null} */
  found = null;
  /** @type {{ us: number, roundTrip: number, repair: import("./protocol").Repair | null, apply_us: number } | null} */
  latestEdit = null;
  undo = 0;
  redo = 0;
  strokes = new Strokes(this);
  questions = new Questions(this);
  camera = new Camera();
  chart = new Chart();
  /** @type {import("./view.js").Scene} */
  scene = {
    ground: null, from: [0, 0], to: [0, 0], chart: this.chart, hover: null, preview: null,
    entities: [], game: null, crowd: null, minds: null, between: new Between(), look: null, side: null, link: null,
    show: { route: true, tree: false, states: true, grid: true, corridor: true },
  };
  /** @type {View[]} */
  views = [];
  /** @type {import("./trace.js").Shade} */
  shade = "states";
  /** The file that is open, which is sent again when the line broke, if it is a mesh. @type {globalThis.File | null} */
  #file = null;
  /** Whether agents are under way, which the panes then show. */
  isWalking = false;
  /** Ends the walk. */
  callHome = async () => {};
  /**
   * Panes that are not in use. They are used again, because each pane that is made watches the camera for good.
   * @type {View[]}
   */
  #spare = [];
  #events = new EventTarget();
  #busy = 0;

  /** @param {string} address */
  constructor(address) {
    this.link = new Link(address, {
      ready: (catalogue) => this.#ready(catalogue),
      lost: () => {
        this.questions.lose();
        this.strokes.lose();
        this.tell("lost");
      },
      fault: (message) => this.say(message, true),
    });
    this.setPanes(1);
    this.look = this.scene.look = new Look(this);
  }

  /**
   * @param {Topic} topic
   * @param {(detail: any) => void} act
   */
  on(topic, act) {
    this.#events.addEventListener(topic, (event) => act(/** @type {CustomEvent} */ (event).detail));
  }

  /**
   * Tells everything that listens to a topic.
   * @param {Topic} topic
   * @param {unknown} [detail]
   */
  tell(topic, detail) {
    this.#events.dispatchEvent(new CustomEvent(topic, { detail }));
  }

  /** Whether the world was edited since it was opened, so that its name does not describe it. */
  get isEdited() {
    return this.scene.ground?.isEdited ?? false;
  }

  /**
   * Shows a line of text to the person.
   * @param {string} text
   */
  say(text, isBad = false) {
    this.tell("say", { text, isBad });
  }

  /** @param {Catalogue} catalogue */
  async #ready(catalogue) {
    const isBack = this.world !== null;
    this.catalogue = catalogue;
    this.tell("ready", { isBack });
    if (isBack) await this.#restore();
  }

  /** Sends the world to the server after the connection broke, because the session of before is gone. */
  async #restore() {
    const { world, scene } = this;
    if (!world || !scene.ground) return;
    const [from, to] = [scene.from, scene.to];
    await this.reopen(true);
    [scene.from, scene.to] = [from, to];
    this.ask();
    this.say("The line is back, and so is your world.");
  }

  /**
   * Sends a command while the page shows that it is busy. If that fails, shows the error and returns null.
   * @param {object} command
   * @param {Parts} [parts]
   * @param {(head: import("./protocol").Progress) => void} [progress]
   * @param {import("./questions.js").Asking} [asking] the question, whose error is not shown once it is given up
   */
  async request(command, parts, progress, asking) {
    this.tell("busy", ++this.#busy);
    try {
      return await this.link.ask(command, parts, progress);
    } catch (error) {
      if (!asking?.isGivenUp) this.say(/** @type {Error} */ (error).message, true);
      return null;
    } finally {
      this.tell("busy", --this.#busy);
    }
  }

  // ---- Worlds ----

  /** @param {WorldRef} ref */
  open(ref) {
    return this.#take({ do: "open", world: ref, ...this.rules }, {});
  }

  /** Opens the world once more, as with other rules: by its name, or by its weights if it was edited or is a file. */
  async reopen(keepsView = false) {
    const { world, scene } = this;
    const { ground } = scene;
    if (!world || !ground) return null;
    if (world.mesh) return this.#reopenMesh(world, ground, keepsView);
    if (!this.isEdited && world.ref.kind !== "file") return this.#take({ do: "open", world: world.ref, ...this.rules }, {}, keepsView);
    const { name, width, height, grid } = world;
    /** @type {Parts} */
    const kinds = ground.kindsThere().length > 0 ? { kinds: ground.kinds } : {};
    return this.#take({ do: "restore", name, width, height, grid, ...this.rules }, { weights: ground.weights, ...kinds, ...scene.between.parts(), ...(scene.entities.length > 0 ? { entities: Uint16Array.from(scene.entities) } : {}) }, keepsView);
  }

  /**
   * Opens a mesh once more. If it comes back with as many polygons as before, it is edited as it was.
   * @param {World} world
   * @param {Ground} ground
   * @param {boolean} keepsView
   */
  async #reopenMesh({ ref }, { weights, grid, isEdited }, keepsView) {
    const opened = ref.kind === "file"
      ? this.#file && (await this.#send(this.#file, keepsView))
      : await this.#take({ do: "open", world: ref, ...this.rules }, {}, keepsView);
    const { ground } = this.scene;
    if (!opened || !ground || !isEdited || !keepsView || ground.height !== grid.height) return opened;
    this.newStroke();
    this.edit(Array.from(weights).flatMap((weight, cell) => (weight === ground.weights[cell] ? [] : [cell % grid.width, (cell / grid.width) | 0, 1, 1, weight])));
    return opened;
  }

  /**
   * Shows a mesh from above or at an angle.
   * @param {boolean} isTilted
   */
  tilt(isTilted) {
    const { ground } = this.scene;
    if (!(ground?.grid instanceof Meshes) || ground.grid.isTilted === isTilted) return;
    ground.grid.tilt(isTilted);
    this.fit();
    this.tell("panes");
    this.draw();
  }

  /** @param {globalThis.File} file */
  async upload(file) {
    const limit = this.catalogue?.limits.upload ?? Infinity;
    if (file.size > limit) {
      this.say(`${file.name} has ${file.size.toLocaleString("en-GB")} bytes; at most ${limit.toLocaleString("en-GB")} can be opened.`, true);
      return null;
    }
    return this.#send(file, false);
  }

  /**
   * @param {globalThis.File} file
   * @param {boolean} keepsView
   */
  async #send(file, keepsView) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const opened = await this.#take({ do: "upload", name: file.name, ...this.rules }, { bytes }, keepsView);
    if (opened) this.#file = file;
    return opened;
  }

  /**
   * @param {object} command
   * @param {Parts} parts
   */
  async #take(command, parts, keepsView = false) {
    const { asking } = this.questions;
    this.questions.hurry();
    const answer = await this.request(command, parts);
    if (!answer) {
      // The world of the question is still open, so the question is asked again.
      if (asking?.isGivenUp) void this.ask();
      return null;
    }
    const world = /** @type {World} */ (answer.head);
    this.world = world;
    if (world.corners && world.directions) this.rules = { ...this.rules, corners: world.corners, directions: world.directions };
    if (world.mesh?.agent) this.rules.agent = world.mesh.agent;
    if (!this.algorithms.some(({ name }) => name === this.algorithm)) this.algorithm = "a-star";
    this.undo = this.redo = 0;
    const { scene } = this;
    scene.ground = new Ground(gridOf(world, answer.parts), /** @type {Uint8Array} */ (answer.parts.weights), /** @type {Uint8Array | undefined} */ (answer.parts.kinds));
    scene.between.open(world, answer.parts);
    scene.entities = answer.parts.entities ?? [];
    [scene.from, scene.to] = [world.from, world.to];
    this.forget();
    if (!keepsView) this.fit();
    this.tell("world", world);
    this.tell("question");
    this.draw();
    return world;
  }

  /** Shows the whole world. */
  fit() {
    const { ground } = this.scene;
    const { width, height } = this.views[0].element.getBoundingClientRect();
    if (ground) this.camera.fit(ground.grid.across, ground.grid.down, width || 800, height || 600);
  }

  /** Draws everything anew after a change of theme, because pictures are kept in its colours. */
  repaint() {
    this.scene.ground?.repaint();
    for (const { trace } of this.views) trace?.paint(this.shade);
    this.tell("theme");
    this.draw();
  }

  /** Forgets the latest answer, as when another world is opened. */
  forget() {
    this.found = null;
    this.latestEdit = null;
    this.chart.clear();
    for (const view of this.views) {
      view.trace = null;
      view.route = view.walked = view.corridor = [];
      view.agent = null;
    }
    this.tell("found", { hasNewChart: false });
    this.tell("chart");
    this.showTrace(false);
  }

  // ---- Panes ----

  /**
   * Shows so many panes side by side, all with one camera.
   * @param {number} count
   */
  setPanes(count) {
    const isNew = count !== this.views.length;
    for (const view of this.views.splice(count).reverse()) {
      view.element.remove();
      this.#spare.push(view);
    }
    while (this.views.length < count) this.views.push(this.#spare.pop() ?? new View(this.scene, this.camera, this.views.length));
    this.views[0].place = count === 1 ? -1 : 0;
    this.tell("panes");
    // In narrower panes, the present scale would cut the world off.
    if (isNew && this.camera.isWhole) this.fit();
  }

  draw() {
    for (const view of this.views) view.ask();
  }

  // ---- Questions ----

  /** Returns the algorithms for the kind of world that is open. */
  get algorithms() {
    return (this.world?.mesh ? this.catalogue?.mesh_algorithms : this.catalogue?.algorithms) ?? [];
  }

  /**
   * Returns the algorithm with those of its settings that it has in this kind of world.
   * @returns {Entrant}
   */
  get entrant() {
    const known = this.algorithms.find(({ name }) => name === this.algorithm)?.params.map(({ name }) => name) ?? [];
    return { algorithm: this.algorithm, settings: Object.fromEntries(Object.entries(this.settings[this.algorithm] ?? {}).filter(([name]) => known.includes(name))) };
  }

  /**
   * Chooses an algorithm, or sets one of its values.
   * @param {string} algorithm
   * @param {string} [name]
   * @param {string} [value]
   */
  choose(algorithm, name, value) {
    this.algorithm = algorithm;
    if (name !== undefined && value !== undefined) (this.settings[algorithm] ??= {})[name] = value;
    this.tell("question");
    if (this.found) this.ask();
  }

  /**
   * Moves start or goal.
   * @param {"from" | "to"} end
   * @param {AnySpot} spot
   */
  move(end, spot) {
    if (this.scene[end].join() === spot.join()) return;
    this.scene[end] = spot;
    this.tell("question");
    this.draw();
    if (this.found && !this.isWalking) this.ask();
  }

  /** Asks for the route; see `Questions.ask`. */
  ask(animate = false) {
    return this.questions.ask(animate);
  }

  /** Tells listeners that the first pane has another trace. */
  showTrace(animate = false) {
    this.tell("trace", { animate });
  }

  /**
   * Makes a trace with the size and the estimates of this world.
   * @param {import("./frame.js").Numbers} events
   * @param {import("./frame.js").Numbers} costs
   * @param {Trace | null} before the trace that it replaces
   */
  trace(events, costs, before) {
    const { width, height } = /** @type {World} */ (this.world);
    const { grid } = /** @type {Ground} */ (this.scene.ground);
    const world = { width, height, h: this.#estimate(), name: (/** @type {number} */ x, /** @type {number} */ y) => grid.name(x, y) };
    const trace = new Trace(/** @type {Uint32Array} */ (events), /** @type {Uint32Array} */ (costs), world, before);
    if (this.shade !== "states") trace.paint(this.shade);
    return trace;
  }

  /** Returns a function that gives the least that any route from a cell to the goal can cost. */
  #estimate() {
    const world = /** @type {World} */ (this.world);
    const { grid } = /** @type {Ground} */ (this.scene.ground);
    const { to } = this.scene;
    return (/** @type {number} */ cell) => grid.cost(world, [cell % world.width, (cell / world.width) | 0], to) * world.least;
  }

  /** @param {import("./trace.js").Shade} shade */
  setShade(shade) {
    this.shade = shade;
    for (const { trace } of this.views) trace?.paint(shade);
    this.draw();
  }

  // ---- Edits ----

  /** Begins a stroke, whose edits are undone together, and returns its number. */
  newStroke() {
    return this.strokes.begin();
  }

  /** @param {number[]} edits x, y, width, height, and the weight with 256 times the kind, one after the other */
  edit(edits) {
    this.strokes.edit(edits);
  }

  // ---- Charts ----

  async outline() {
    const { ground } = this.scene;
    if (!this.found || !ground) return;
    const answer = await this.request({ do: "outline" });
    if (!answer || ground !== this.scene.ground) return;
    this.chart.take(answer.head, answer.parts, ground.grid);
    this.tell("chart");
    this.draw();
  }

  async legs() {
    const answer = await this.request({ do: "legs" });
    if (!answer) return null;
    const { waypoints, cells, ends } = answer.parts;
    this.chart.legs = { waypoints, cells, ends };
    this.chart.legsShown = 0;
    this.tell("chart");
    this.draw();
    return /** @type {import("./protocol").Legs} */ (answer.head);
  }

  /** @param {Spot} port */
  async tree(port) {
    const answer = await this.request({ do: "tree", port });
    this.chart.tree = answer?.parts.steps ?? [];
    if (answer && this.chart.tree.length === 0) this.say("No tree is kept for this cell: click a port of a chart that keeps trees.");
    this.draw();
  }
}
