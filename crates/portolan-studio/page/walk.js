// Agents under way: sends them off, lets time pass at any speed, shows where they are, and keeps what is counted. The
// server moves the agents; the page only shows them. Not here: tables and buttons (panel-walk.js, panel-race.js).

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Entrant} Entrant */
/** @typedef {import("./protocol").Ticked} Ticked */
/** @typedef {import("./protocol").Pane} Pane */
/** @typedef {import("./frame.js").Parts} Parts */
/** @typedef {{ tick: number, text: string, kind: string, pane: number }} Line */

/** Most ticks that are asked for at a time. */
const MOST_TICKS = 50;
const MOST_LINES = 400;

export class Walk {
  isOn = false;
  isRunning = false;
  isDone = false;
  /** Ticks a second. */
  speed = 12;
  tick = 0;
  /** @type {Pane[]} */
  panes = [];
  /** The cell of each agent at each tick. @type {[number, number][][]} */
  #places = [];
  /** How many cells of its route each agent has passed. @type {number[]} */
  #behind = [];
  /** Operations of each pane at each tick, for the plot. @type {number[][]} */
  operations = [];
  /** @type {Line[]} */
  log = [];
  #now = 0;
  #last = 0;
  #asking = false;
  /** The number of the present walk; answers to an earlier one are dropped. */
  #outing = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    studio.callHome = () => this.end(false);
    studio.on("question", () => void this.#aim());
    for (const topic of /** @type {const} */ (["world", "lost"])) {
      studio.on(topic, () => {
        this.#clear();
        studio.setPanes(1);
      });
    }
  }

  /** @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  #told() {
    for (const watcher of this.#watchers) watcher();
  }

  #clear() {
    this.#outing++;
    this.isOn = this.isRunning = this.isDone = this.#asking = false;
    this.studio.isWalking = false;
    this.panes = [];
    this.log = [];
    this.operations = [];
    this.tick = 0;
    for (const { caption } of this.studio.views) caption.textContent = "";
    this.#told();
  }

  /**
   * Sends an agent off for each of these entrants.
   * @param {Entrant[]} entrants
   * @param {{ replan: "touched" | "any", isCase: boolean }} how
   */
  async start(entrants, { replan, isCase }) {
    const { studio } = this;
    const { from, to } = studio.scene;
    this.#clear();
    const outing = this.#outing;
    studio.isWalking = true;
    // The latest search need not be repeated while the panes show agents.
    await studio.request({ do: "rest" });
    const answer = await studio.request({ do: "sim", panes: entrants, from, to, replan, case: isCase, trace: true });
    if (!answer || outing !== this.#outing) {
      if (outing === this.#outing) studio.isWalking = false;
      return false;
    }
    studio.setPanes(entrants.length);
    studio.chart.legs = null;
    this.isOn = true;
    this.#now = 0;
    this.#places = entrants.map(() => []);
    this.#behind = entrants.map(() => 0);
    this.operations = entrants.map(() => []);
    this.#take(answer.head, answer.parts);
    return true;
  }

  run() {
    if (!this.isOn || this.isRunning) return;
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

  /** Advances by one tick and then pauses. */
  async step() {
    this.pause();
    this.#now = this.tick;
    await this.#ask(1);
    this.#now = this.tick;
    this.#place();
  }

  /** Sends all agents to where the goal was dragged, one change at a time. */
  async #aim() {
    const { to } = this.studio.scene;
    const isThere = this.panes.every((pane) => pane.to[0] === to[0] && pane.to[1] === to[1]);
    if (!this.isOn || this.#asking || isThere) return;
    this.#asking = true;
    const outing = this.#outing;
    const answer = await this.studio.request({ do: "aim", to });
    if (outing !== this.#outing) return;
    this.#asking = false;
    if (!answer) return;
    this.#take(answer.head, answer.parts);
    this.isDone = false;
    await this.#aim();
  }

  /** Ends the walk and, if `asks` is true, repeats the question from before the walk. */
  async end(asks = true) {
    if (!this.isOn) return;
    this.#clear();
    this.studio.setPanes(1);
    const [view] = this.studio.views;
    view.agent = null;
    view.walked = view.route = [];
    view.trace = null;
    this.studio.draw();
    await this.studio.request({ do: "end" });
    if (asks && this.studio.found) await this.studio.ask();
  }

  /** @param {number} now */
  #frame(now) {
    if (!this.isRunning) return;
    const passed = Math.min(0.25, Math.max(0, (now - this.#last) / 1000));
    this.#last = now;
    this.#now = Math.min(this.tick, this.#now + passed * this.speed);
    // The next ticks are asked for before the present ones are over, so that no agent stands still until the answer
    // comes.
    if (!this.isDone && this.tick - this.#now < Math.max(1, this.speed / 20)) void this.#ask(Math.min(MOST_TICKS, Math.max(1, Math.round(this.speed / 30))));
    this.#place();
    if (this.isDone && this.#now >= this.tick) this.pause();
    else requestAnimationFrame((next) => this.#frame(next));
  }

  /** @param {number} count */
  async #ask(count) {
    if (this.#asking || !this.isOn) return;
    this.#asking = true;
    const outing = this.#outing;
    const answer = await this.studio.request({ do: "tick", count });
    if (outing !== this.#outing) return;
    this.#asking = false;
    if (answer) this.#take(answer.head, answer.parts);
    else this.pause();
    // The goal may have been dragged to another cell meanwhile.
    await this.#aim();
  }

  /**
   * @param {Ticked} head
   * @param {Parts} parts
   */
  #take(head, parts) {
    const { studio } = this;
    const ticks = head.tick - this.tick;
    this.tick = head.tick;
    this.panes = head.panes;
    this.isDone = head.done;
    studio.strokes.counts(head);
    studio.strokes.patch(parts.patch);
    studio.strokes.hold(parts);
    head.panes.forEach((pane, i) => {
      const places = this.#places[i], view = studio.views[i];
      const walked = parts[`walked${i}`] ?? [];
      if (places.length === 0) places.push(pane.at);
      for (let at = 0; at < ticks; at++) {
        const moved = 2 * at + 1 < walked.length;
        places.push(moved ? [walked[2 * at], walked[2 * at + 1]] : places[places.length - 1]);
        this.operations[i].push(pane.work.operations);
      }
      if (ticks === 0) this.operations[i].push(pane.work.operations);
      if (parts[`route${i}`]) {
        view.route = parts[`route${i}`];
        this.#behind[i] = 0;
      } else this.#behind[i] += walked.length / 2;
      if (parts[`events${i}`]) {
        view.trace = studio.trace(parts[`events${i}`], parts[`costs${i}`], view.trace);
        view.trace.seek(view.trace.length);
        if (i === 0) studio.showTrace();
      }
      for (const line of pane.log) this.log.push({ ...line, pane: i });
      view.caption.textContent = `${pane.title} · ${pane.state}${pane.why ? `: ${pane.why}` : ""}`;
    });
    if (this.log.length > MOST_LINES) this.log.splice(0, this.log.length - MOST_LINES);
    this.#place();
    this.#told();
  }

  /** Draws each agent where it is at this moment, between two cells if need be. */
  #place() {
    this.#places.forEach((places, i) => {
      const view = this.studio.views[i];
      if (!view || places.length === 0) return;
      const low = Math.min(Math.floor(this.#now), places.length - 1), high = Math.min(low + 1, places.length - 1);
      const share = this.#now - Math.floor(this.#now);
      const { grid } = /** @type {import("./ground.js").Ground} */ (this.studio.scene.ground);
      const [[ax, ay], [bx, by]] = [grid.middle(...places[low]), grid.middle(...places[high])];
      view.agent = { x: ax + (bx - ax) * share, y: ay + (by - ay) * share, isStuck: this.panes[i]?.state === "stopped" };
      view.walked = places.slice(0, low + 1).flat();
      // The picture is behind the server: steps that the server has made are not all shown yet.
      view.routeFrom = Math.max(0, this.#behind[i] - (places.length - 1 - low));
    });
    this.studio.draw();
  }
}
