// A game of keys and doors: begins it, lets time pass at any speed, steers the player, and keeps how it stands. The server
// plays; the page only shows. Not here: the panel (panel-game.js) and the picture (overlay-game.js).

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Played} Played */
/** @typedef {import("./protocol").PlayOptions} PlayOptions */
/** @typedef {import("./frame.js").Parts} Parts */
/**
 * A game as the panes show it. `asked` is what it began with. `routesOf` is the agent whose route is drawn: -1 for all agents, -2 for none;
 * `searchOf` the agent whose latest search is drawn, or null.
 * @typedef {{ asked: PlayOptions, head: Played, parts: Parts, show: { heat: boolean, sight: boolean, routesOf: number, searchOf: number | null } }} Shown
 */

/** Most ticks that are asked for at a time. */
const MOST_TICKS = 50;
/** The directions of the arrow keys: up is 0, and they go on clockwise. */
export const HEADINGS = { up: 0, right: 2, down: 4, left: 6 };

export class Game {
  isRunning = false;
  /** Ticks a second. */
  speed = 12;
  /** Whether the latest step of the player was not possible. */
  isBlocked = false;
  /** @type {Shown["show"]} */
  show = { heat: true, sight: true, routesOf: -1, searchOf: null };
  /** Ticks that are due. */
  #due = 0;
  #last = 0;
  #asking = false;
  #steering = false;
  /** The number of the present game; answers to an earlier one are dropped. */
  #round = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /**
   * @param {Studio} studio
   * @param {import("./walk.js").Walk} walk
   */
  constructor(studio, walk) {
    this.studio = studio;
    this.walk = walk;
    for (const topic of /** @type {const} */ (["world", "lost"])) studio.on(topic, () => this.#clear());
    studio.on("edited", () => {
      if (!this.isOn) return;
      void this.end();
      studio.say("The world was changed, so the game has ended.");
    });
    // Agents that set out on a walk end the game on the server.
    walk.watch(() => walk.isOn && this.#clear());
  }

  /** @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  #told() {
    for (const watcher of this.#watchers) watcher();
  }

  get isOn() {
    return this.studio.scene.game !== null;
  }

  /** How the game stands, or null if there is none. */
  get head() {
    return this.studio.scene.game?.head ?? null;
  }

  get isDone() {
    return this.head?.done ?? false;
  }

  #clear() {
    const wasOn = this.isOn;
    this.#round++;
    this.isRunning = this.isBlocked = this.#asking = this.#steering = false;
    this.#due = 0;
    this.studio.scene.game = null;
    if (!wasOn) return;
    this.studio.draw();
    this.#told();
  }

  /**
   * Begins a game on the open world. Returns whether that was possible; the reason is shown if it was not.
   * @param {PlayOptions} options
   */
  async start(options) {
    await this.walk.end(false);
    this.#clear();
    const round = this.#round;
    const answer = await this.studio.request({ do: "play", ...options });
    if (!answer || round !== this.#round) return false;
    this.studio.scene.game = { asked: options, head: answer.head, parts: answer.parts, show: this.show };
    this.#take(answer.head, answer.parts);
    return true;
  }

  run() {
    if (!this.isOn || this.isRunning || this.isDone) return;
    this.isRunning = true;
    this.#last = performance.now();
    requestAnimationFrame((now) => this.#frame(now));
    this.#told();
  }

  pause() {
    this.isRunning = false;
    this.#due = 0;
    this.#told();
  }

  toggle() {
    if (this.isRunning) this.pause();
    else this.run();
  }

  /**
   * Chooses the agent whose latest search is shown, or none.
   * @param {number | null} agent
   */
  async showSearch(agent) {
    this.show.searchOf = agent;
    // No tick passes, but the answer holds the cells.
    await this.#turn(0);
  }

  /** Advances by one tick and then pauses. */
  async step() {
    this.pause();
    await this.#turn(1);
  }

  /**
   * Moves the player one step.
   * @param {number} heading
   */
  async steer(heading) {
    if (!this.isOn || this.#steering) return;
    this.#steering = true;
    const round = this.#round;
    const answer = await this.studio.request({ do: "steer", heading, searched: this.show.searchOf });
    if (round !== this.#round) return;
    this.#steering = false;
    if (!answer) return;
    this.isBlocked = !answer.head.moved;
    this.#take(answer.head, answer.parts);
  }

  async end() {
    if (!this.isOn) return;
    this.#clear();
    await this.studio.request({ do: "end" });
  }

  /** @param {number} now */
  #frame(now) {
    if (!this.isRunning) return;
    this.#due = Math.min(MOST_TICKS, this.#due + (Math.max(0, now - this.#last) / 1000) * this.speed);
    this.#last = now;
    const count = Math.floor(this.#due);
    if (count > 0 && !this.#asking) {
      this.#due -= count;
      void this.#turn(count);
    }
    requestAnimationFrame((next) => this.#frame(next));
  }

  /** @param {number} count */
  async #turn(count) {
    if (this.#asking || !this.isOn) return;
    this.#asking = true;
    const round = this.#round;
    const answer = await this.studio.request({ do: "turn", count, searched: this.show.searchOf });
    if (round !== this.#round) return;
    this.#asking = false;
    if (!answer) return this.pause();
    this.#take(answer.head, answer.parts);
    if (this.isDone) this.pause();
  }

  /**
   * @param {Played} head
   * @param {Parts} parts
   */
  #take(head, parts) {
    const { game } = this.studio.scene;
    if (game) Object.assign(game, { head, parts });
    this.studio.draw();
    this.#told();
  }
}
