// A crowd that walks in the world: it is sent off on the server, asked for tick after tick, and shown where it is. Not
// here: the panel (panel-crowd.js), and how agents are drawn.

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Marched} Marched */
/** @typedef {{ places: Float32Array, states: Uint8Array, radius: number }} Shown */
/** @typedef {{ agents: number, radius: number, speed: number, seed: number, whole: boolean }} Asked */

/** Most ticks that are asked for at a time, so that a slow server is not left behind for good. */
const MOST = 60;

export class Crowd {
  /** @type {Marched | null} */
  head = null;
  isRunning = false;
  /** How many times as fast as agents the clock goes. */
  pace = 1;
  /** Ticks in the latest second. */
  rate = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();
  #rest = 0;
  #last = 0;
  /** @type {{ at: number, tick: number }} */
  #second = { at: 0, tick: 0 };
  #isAsked = false;

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    studio.on("world", () => this.#forget());
    studio.on("lost", () => this.#forget());
    studio.on("edited", () => {
      if (!this.isOn) return;
      this.#forget();
      studio.say("The crowd has ended: it walked in the world as it was before the edit.");
    });
  }

  get isOn() {
    return this.head !== null;
  }

  /** @param {() => void} act */
  watch(act) {
    this.#watchers.add(act);
  }

  #tell() {
    for (const act of this.#watchers) act();
  }

  #forget() {
    this.head = this.studio.scene.crowd = null;
    this.isRunning = false;
    this.#tell();
    this.studio.draw();
  }

  /**
   * Sends a crowd off. Returns whether that was possible.
   * @param {Asked} asked
   */
  async start(asked) {
    if (this.studio.isWalking) await this.studio.callHome();
    this.isRunning = false;
    const answer = await this.studio.request({ do: "muster", ...this.studio.entrant, ...asked });
    if (!answer) {
      this.#forget();
      return false;
    }
    this.#second = { at: performance.now(), tick: 0 };
    this.rate = 0;
    this.#take(answer);
    return true;
  }

  run() {
    if (!this.isOn || this.isRunning) return;
    this.isRunning = true;
    this.#last = performance.now();
    this.#second = { at: this.#last, tick: this.head?.tick ?? 0 };
    this.#rest = 0;
    requestAnimationFrame((now) => void this.#frame(now));
    this.#tell();
  }

  toggle() {
    if (this.isRunning) {
      this.isRunning = false;
      this.#tell();
    } else this.run();
  }

  /** @param {number} now */
  async #frame(now) {
    if (!this.isRunning || !this.head) return;
    this.#rest += Math.min(0.25, Math.max(0, (now - this.#last) / 1000)) * this.head.per_second * this.pace;
    this.#last = now;
    const count = Math.min(MOST, Math.floor(this.#rest));
    this.#rest -= Math.floor(this.#rest);
    if (count > 0) await this.step(count);
    if (this.isRunning) requestAnimationFrame((next) => void this.#frame(next));
  }

  /** Lets so many ticks pass. */
  async step(count = 1) {
    if (!this.isOn || this.#isAsked) return;
    this.#isAsked = true;
    const { head } = this;
    try {
      const answer = await this.studio.link.ask({ do: "march", count });
      // Meanwhile the crowd may have ended, or another one set off.
      if (this.head === head) this.#take(answer);
    } catch (error) {
      if (this.head === head) {
        this.#forget();
        this.studio.say(/** @type {Error} */ (error).message, true);
      }
    } finally {
      this.#isAsked = false;
    }
  }

  async end() {
    if (!this.isOn) return;
    this.#forget();
    await this.studio.request({ do: "end" });
  }

  /** @param {import("./link.js").Message} answer */
  #take({ head, parts }) {
    this.head = head;
    this.studio.scene.crowd = { places: /** @type {Float32Array} */ (parts.places), states: /** @type {Uint8Array} */ (parts.states), radius: head.radius };
    const now = performance.now();
    if (now - this.#second.at > 500) {
      this.rate = ((head.tick - this.#second.tick) * 1000) / (now - this.#second.at);
      this.#second = { at: now, tick: head.tick };
    }
    const isDone = !/** @type {Marched} */ (head).states.some(({ name, count }) => count > 0 && ["walking", "waiting", "blocked", "squeezing", "stuck"].includes(name));
    if (isDone) this.isRunning = false;
    this.#tell();
    this.studio.draw();
  }

  /**
   * Returns what the agent at a place does, in words, or an empty text if there is none.
   * @param {[number, number]} place
   */
  about([x, y]) {
    const { crowd, ground } = this.studio.scene;
    if (!crowd || !ground || !this.head) return "";
    const reach = Math.max(crowd.radius * ground.grid.unit, 5 / this.studio.camera.scale);
    for (let i = 0; i < crowd.states.length; i++) {
      const [ax, ay] = ground.grid.body(crowd.places[3 * i], crowd.places[3 * i + 1], crowd.places[3 * i + 2]);
      if (Math.hypot(ax - x, ay - y) > reach) continue;
      const { name, why } = this.head.states[crowd.states[i]];
      return `agent ${i + 1} · ${name}: ${why}`;
    }
    return "";
  }
}
