// Minds under way: sends them off, lets time pass at any speed, goes back and forth in it, and keeps what each mind knows at every tick. The
// server moves the minds; the page only shows them. Not here: the panel (panel-mind.js) and the picture (overlay-mind.js).

import { Bitmap } from "./ground.js";
import { MindTape } from "./mind-tape.js";
import { crew, shade } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Minded} Minded */
/** @typedef {import("./frame.js").Parts} Parts */
/** @typedef {{ minds: Record<string, string>[], seed: number, isTogether: boolean }} Asked */
/**
 * Minds as the panes show them. `places` are those of the hexagons; `layers` have what each mind knows, and are empty on meshes; of
 * minds that lie over one another, `chosen` is the one whose knowledge is seen. `now` is the moment shown, in ticks.
 * @typedef {{ asked: Asked, head: Minded, tapes: MindTape[], places: number[], layers: Bitmap[], chosen: number, now: number }} Shown
 */

/** Most ticks that are asked for at a time. */
const MOST_TICKS = 200;

export class Minds {
  isRunning = false;
  /** Ticks a second. */
  speed = 24;
  #last = 0;
  #asking = false;
  /** The number of the present minds; answers about earlier ones are dropped. */
  #round = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /**
   * @param {Studio} studio
   * @param {{ walk: import("./walk.js").Walk, game: import("./game.js").Game, crowd: import("./crowd.js").Crowd }} others
   */
  constructor(studio, { walk, game, crowd }) {
    this.studio = studio;
    this.others = [walk, game, crowd];
    for (const topic of /** @type {const} */ (["world", "lost"])) studio.on(topic, () => this.#clear());
    // What else sets off ends the minds on the server.
    for (const other of this.others) other.watch(() => other.isOn && this.#clear());
    studio.on("edited", () => void this.#ask({ do: "think", count: 0 }));
    studio.on("question", () => void this.#aim());
    studio.on("theme", () => this.#repaint());
  }

  /** @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  #told() {
    for (const watcher of this.#watchers) watcher();
  }

  /** What the panes show, or null if no mind is under way. */
  get shown() {
    return this.studio.scene.minds;
  }

  get isOn() {
    return this.shown !== null;
  }

  /** The tick that is shown. */
  get now() {
    return Math.floor(this.shown?.now ?? 0);
  }

  get isDone() {
    const { shown } = this;
    return shown !== null && shown.head.done && shown.now >= shown.head.tick;
  }

  #clear() {
    if (!this.isOn) return;
    this.#round++;
    this.isRunning = this.#asking = false;
    this.studio.scene.minds = null;
    if (!this.studio.isWalking) this.studio.setPanes(1);
    this.#told();
    this.studio.draw();
  }

  /**
   * Sends minds off. Returns whether that was possible; the reason is shown if it was not.
   * @param {Asked} asked
   */
  async start(asked) {
    const { studio } = this;
    const [walk, game, crowd] = this.others;
    if (walk.isOn) await studio.callHome();
    if (game.isOn) await game.end();
    if (crowd.isOn) await crowd.end();
    this.#clear();
    const round = ++this.#round;
    const { from, to, ground } = studio.scene;
    const answer = await studio.request({ do: "minds", minds: asked.minds, from, to, seed: asked.seed });
    if (!answer || round !== this.#round || !ground) return false;
    /** @type {number[]} */
    const places = [];
    const isFlat = ground.grid.stride === 2;
    const layers = isFlat ? asked.minds.map(() => new Bitmap(ground.width, ground.height)) : [];
    const tapes = asked.minds.map((_, number) => new MindTape(!isFlat ? () => {} : (hexagon, counter) =>
      layers[number].set(places[2 * hexagon + 1] * ground.width + places[2 * hexagon], this.#pixel(number, counter))));
    studio.scene.minds = { asked: { ...asked }, head: answer.head, tapes, places, layers, chosen: 0, now: 0 };
    this.#take(answer.head, answer.parts);
    this.arrange();
    return true;
  }

  /**
   * Returns the colour of a hexagon that a mind knows.
   * @param {number} number
   * @param {number} counter
   */
  #pixel(number, counter) {
    return counter === 0 ? 0 : shade(crew()[number], counter / (this.shown?.head.minds[number].most ?? 1));
  }

  #repaint() {
    const { shown, studio: { scene: { ground } } } = this;
    if (!shown || !ground) return;
    shown.layers.forEach((layer, number) => shown.tapes[number].counters.forEach((counter, hexagon) =>
      layer.set(shown.places[2 * hexagon + 1] * ground.width + shown.places[2 * hexagon], this.#pixel(number, counter))));
    this.studio.draw();
  }

  /** Shows the minds side by side or over one another, as it was asked. */
  arrange() {
    const { shown } = this;
    if (!shown) return;
    this.studio.setPanes(shown.asked.isTogether ? 1 : shown.tapes.length);
    this.#told();
    this.studio.draw();
  }

  run() {
    if (!this.isOn || this.isRunning) return;
    if (this.isDone) this.seek(0);
    this.isRunning = true;
    this.#last = performance.now();
    requestAnimationFrame((now) => this.#frame(now));
    this.#told();
  }

  pause() {
    this.isRunning = false;
    this.#told();
  }

  toggle() {
    if (this.isRunning) this.pause();
    else this.run();
  }

  /** Goes on by one tick, and then pauses. */
  async step() {
    const { shown } = this;
    if (!shown) return;
    this.pause();
    const tick = this.now + 1;
    if (tick > shown.head.tick) await this.#ask({ do: "think", count: 1 });
    this.seek(tick);
  }

  /**
   * Shows a tick, and pauses.
   * @param {number} tick
   */
  seek(tick) {
    this.isRunning = false;
    this.#show(tick);
    this.#told();
  }

  /** @param {number} moment */
  #show(moment) {
    const { shown } = this;
    if (!shown) return;
    const least = Math.max(...shown.tapes.map(({ first }) => first));
    shown.now = Math.max(least, Math.min(moment, shown.head.tick));
    for (const tape of shown.tapes) tape.seek(Math.floor(shown.now));
    this.studio.draw();
  }

  async end() {
    if (!this.isOn) return;
    this.#clear();
    await this.studio.request({ do: "end" });
  }

  /** Sends the minds to where the goal was dragged, with all that they remember. */
  async #aim() {
    const { shown, studio: { scene: { to } } } = this;
    if (!shown || this.#asking) return;
    const goal = to.join();
    if (this.#goal === goal) return;
    this.#goal = goal;
    this.#show(Infinity);
    await this.#ask({ do: "aim", to }, true);
    // The goal may have been dragged on meanwhile.
    await this.#aim();
  }

  /** The goal that the server knows. */
  #goal = "";

  /** @param {number} now */
  #frame(now) {
    const { shown } = this;
    if (!this.isRunning || !shown) return;
    const passed = Math.min(0.25, Math.max(0, (now - this.#last) / 1000));
    this.#last = now;
    this.#show(shown.now + passed * this.speed);
    // The next ticks are asked for before the present ones are over.
    if (!shown.head.done && shown.head.tick - shown.now < Math.max(2, this.speed / 4)) {
      void this.#ask({ do: "think", count: Math.min(MOST_TICKS, Math.max(1, Math.round(this.speed / 2))) });
    }
    this.#told();
    if (this.isDone) this.pause();
    else requestAnimationFrame((next) => this.#frame(next));
  }

  /**
   * @param {object} command
   * @param {boolean} isAnother whether another walk begins
   */
  async #ask(command, isAnother = false) {
    if (this.#asking || !this.isOn) return;
    this.#asking = true;
    const round = this.#round;
    const answer = await this.studio.request(command);
    if (round !== this.#round) return;
    this.#asking = false;
    const { shown } = this;
    // A goal that cannot be stood on changes nothing.
    if (!answer && isAnother) return;
    if (!answer || !shown) return this.#clear();
    if (isAnother) for (const tape of shown.tapes) tape.begun = tape.last;
    this.#take(answer.head, answer.parts);
    await this.#aim();
  }

  /**
   * @param {Minded} head
   * @param {Parts} parts
   */
  #take(head, parts) {
    const { shown } = this;
    if (!shown) return;
    shown.head = head;
    for (const value of parts.places ?? []) shown.places.push(value);
    shown.tapes.forEach((tape, number) => tape.take(parts, number, head.hexagons));
    if (this.#goal === "" || shown.tapes[0].last === 0) this.#goal = this.studio.scene.to.join();
    this.#show(shown.now);
    this.#told();
  }
}
