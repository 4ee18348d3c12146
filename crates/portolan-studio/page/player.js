// The bar under the world that plays a search back: play, pause, step, back, scrub, speed.
// Not here: what an event does to a cell (trace.js).

import { button, count, el } from "./dom.js";
import { icon } from "./icons.js";

/** @typedef {import("./studio.js").Studio} Studio */

/** A search is played in about this many seconds unless the person chooses a speed. */
const SECONDS = 3;
const SLOWEST = 2;
const FASTEST = 5_000_000;

export class Player {
  isPlaying = false;
  /** Events a second; chosen by the length of the search until the person chooses a speed. */
  #speed = 0;
  #isAuto = true;
  #rest = 0;
  #last = 0;

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.play = button(icon("play"), () => this.toggle(), { id: "play", "aria-label": "Play", title: "Play or pause (Space)" });
    this.scrub = el("input", { type: "range", id: "scrub", min: "0", max: "0", step: "1", value: "0", "aria-label": "Moment of the search", oninput: () => this.seek(Number(this.scrub.value)) });
    this.speed = el("input", {
      type: "range", id: "speed", min: "0", max: "100", value: "50", title: "Speed", "aria-label": "Speed", oninput: () => {
        this.#isAuto = false;
        this.#speed = SLOWEST * (FASTEST / SLOWEST) ** (Number(this.speed.value) / 100);
        this.#tell();
      },
    });
    this.note = el("output", { id: "moment" });
    this.element = el("div", { id: "player", role: "group", "aria-label": "Playback of the search" },
      button(icon("first"), () => this.seek(0), { title: "To the start (Home)", "aria-label": "To the start" }),
      button(icon("back"), () => this.expansion(-1), { id: "back", title: "Back to the expansion before (,)", "aria-label": "Back" }),
      this.play,
      button(icon("step"), () => this.expansion(1), { id: "step", title: "On to the next expansion (.)", "aria-label": "Step" }),
      button(icon("last"), () => this.seek(Infinity), { title: "To the end (End)", "aria-label": "To the end" }),
      this.scrub,
      el("span", { class: "faint", "aria-hidden": "true" }, "speed"), this.speed, this.note);
    studio.on("trace", ({ animate }) => this.#take(animate));
  }

  get trace() {
    return this.studio.views[0].trace;
  }

  /** @param {boolean} animate */
  #take(animate) {
    const { trace } = this;
    this.pause();
    this.element.classList.toggle("idle", !trace);
    this.scrub.max = String(trace?.length ?? 0);
    if (trace && animate) {
      if (this.#isAuto) this.#choose(trace.length);
      this.toggle();
    }
    this.#tell();
  }

  /**
   * Chooses the speed at which so many events are played in about the usual time.
   * @param {number} events
   */
  #choose(events) {
    this.#speed = Math.max(30, events / SECONDS);
    this.speed.value = String((100 * Math.log(this.#speed / SLOWEST)) / Math.log(FASTEST / SLOWEST));
  }

  toggle() {
    if (this.isPlaying) return this.pause();
    const { trace } = this;
    if (!trace) return;
    if (trace.at >= trace.length) trace.seek(0);
    if (this.#speed === 0) this.#choose(trace.length);
    this.isPlaying = true;
    this.#last = performance.now();
    this.#rest = 0;
    requestAnimationFrame((now) => this.#frame(now));
    this.#tell();
  }

  pause() {
    this.isPlaying = false;
    this.#tell();
  }

  /** @param {number} now */
  #frame(now) {
    const { trace } = this;
    if (!this.isPlaying || !trace) return;
    const passed = Math.min(0.1, Math.max(0, (now - this.#last) / 1000));
    this.#last = now;
    this.#rest += passed * this.#speed;
    const whole = Math.floor(this.#rest);
    this.#rest -= whole;
    trace.seek(trace.at + whole);
    if (trace.at >= trace.length) this.isPlaying = false;
    else requestAnimationFrame((next) => this.#frame(next));
    this.#tell();
    this.studio.draw();
  }

  /** @param {number} at */
  seek(at) {
    this.pause();
    this.trace?.seek(at);
    this.#tell();
    this.studio.draw();
  }

  /** @param {1 | -1} way */
  expansion(way) {
    if (this.trace) this.seek(this.trace.nextExpansion(way));
  }

  #tell() {
    const { trace } = this;
    const label = this.isPlaying ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== label) {
      this.play.replaceChildren(icon(this.isPlaying ? "pause" : "play"));
      this.play.setAttribute("aria-label", label);
    }
    if (!trace) {
      this.note.textContent = "Run a search to watch it";
      return;
    }
    this.scrub.value = String(trace.at);
    const { expanded, pushes, pops } = trace.counts;
    this.note.textContent = `${count(expanded)} expanded · ${count(pushes)} in · ${count(pops)} out · ${trace.latest()}`;
    this.note.dataset.at = String(trace.at);
    this.note.dataset.expanded = String(expanded);
  }
}
