// The events of a search, which can be shown up to any moment: forward and back by one event, or at once to any other.
// Every event stores what it changed, so that going back takes no longer than going forward. Not here: the controls
// (player.js), and searching.

import { Bitmap } from "./ground.js";
import { State, heatPixels, statePixels } from "./palette.js";

/** The kinds of events, which are the numbers in the upper four bits. */
export const Kinds = { expand: 0, push: 1, decrease: 2, reopen: 3, drop: 4, goal: 5, deepen: 6, phase: 7, visit: 8 };
const NAMES = ["expand", "push", "decrease", "reopen", "drop", "goal", "deepen", "phase", "expand"];
const PHASES = ["connecting start and goal", "searching", "refining"];
const CELL = (1 << 28) - 1;

/** @typedef {"states" | "g" | "h" | "f" | "order"} Shade */

export class Trace {
  /** @type {{ width: number, height: number, h: (cell: number) => number, name: (x: number, y: number) => string }} */
  world;
  /** @type {Uint8Array} */
  state;
  /** The event that gave a cell its cost, or -1. @type {Int32Array} */
  pricedBy;
  /** The event that expanded a cell, or -1. @type {Int32Array} */
  expandedBy;
  /** @type {Bitmap} */
  bitmap;

  /**
   * @param {Uint32Array} events
   * @param {Uint32Array} costs
   * @param {{ width: number, height: number, h: (cell: number) => number, name: (x: number, y: number) => string }} world
   * @param {Trace | null} [before] a trace of this world that is no longer needed: its arrays by cell are used again,
   *   since clearing what it changed takes less time than making new arrays for the whole world
   */
  constructor(events, costs, world, before = null) {
    this.events = events;
    this.costs = costs;
    this.world = world;
    const { width, height } = world;
    const old = before && before.world.width === width && before.world.height === height ? before : null;
    if (old?.shade !== "states") old?.paint("states");
    old?.seek(0);
    this.state = old?.state ?? new Uint8Array(width * height);
    this.pricedBy = old?.pricedBy ?? new Int32Array(width * height).fill(-1);
    this.expandedBy = old?.expandedBy ?? new Int32Array(width * height).fill(-1);
    this.stateBefore = new Uint8Array(events.length);
    this.linkBefore = new Int32Array(events.length);
    /** The number of events shown. */
    this.at = 0;
    /** The event that began the present phase; each phase has an open list of its own. */
    this.phaseAt = -1;
    this.counts = { expanded: 0, pushes: 0, pops: 0, reopened: 0 };
    this.bitmap = old?.bitmap ?? new Bitmap(width, height);
    this.bitmap.isLively = true;
    /** @type {Shade} */
    this.shade = "states";
    /** @type {Uint32Array} */
    this.pixels = statePixels();
    this.most = 1;
  }

  get length() {
    return this.events.length;
  }

  /** Whether there are so few events that they are drawn large enough to be seen on any map. */
  get isSparse() {
    return this.events.length < 12_000;
  }

  /**
   * Shows so many events, from the first on.
   * @param {number} at
   */
  seek(at) {
    at = Math.max(0, Math.min(this.length, Math.round(at)));
    while (this.at < at) this.#forward(this.at++);
    while (this.at > at) this.#back(--this.at);
  }

  /** @param {number} index */
  #forward(index) {
    const word = this.events[index], cell = word & CELL;
    const before = this.state[cell];
    switch (word >>> 28) {
      case Kinds.expand:
        this.counts.pops++;
      // falls through
      case Kinds.visit:
        this.counts.expanded++;
        this.stateBefore[index] = before;
        this.linkBefore[index] = this.expandedBy[cell];
        this.#mark(cell, before === State.reopened || (before === State.closedAgain && this.#isOfPhase(cell)) ? State.closedAgain : State.closed);
        this.expandedBy[cell] = index;
        break;
      case Kinds.push:
        this.counts.pushes++;
        this.stateBefore[index] = before;
        this.linkBefore[index] = this.pricedBy[cell];
        this.pricedBy[cell] = index;
        this.#mark(cell, before >= State.closed && this.#isOfPhase(cell) ? State.reopened : State.open);
        break;
      case Kinds.reopen:
        this.counts.reopened++;
        this.stateBefore[index] = before;
        this.#mark(cell, State.reopened);
        break;
      case Kinds.drop:
        this.counts.pops++;
        break;
      case Kinds.phase:
        this.linkBefore[index] = this.phaseAt;
        this.phaseAt = index;
        break;
    }
  }

  /**
   * Returns whether a cell was expanded in the present phase.
   * @param {number} cell
   */
  #isOfPhase(cell) {
    return this.expandedBy[cell] > this.phaseAt;
  }

  /** @param {number} index */
  #back(index) {
    const word = this.events[index], cell = word & CELL;
    switch (word >>> 28) {
      case Kinds.expand:
        this.counts.pops--;
      // falls through
      case Kinds.visit:
        this.counts.expanded--;
        this.expandedBy[cell] = this.linkBefore[index];
        this.#mark(cell, this.stateBefore[index]);
        break;
      case Kinds.push:
        this.counts.pushes--;
        this.pricedBy[cell] = this.linkBefore[index];
        this.#mark(cell, this.stateBefore[index]);
        break;
      case Kinds.reopen:
        this.counts.reopened--;
        this.#mark(cell, this.stateBefore[index]);
        break;
      case Kinds.drop:
        this.counts.pops--;
        break;
      case Kinds.phase:
        this.phaseAt = this.linkBefore[index];
        break;
    }
  }

  /**
   * @param {number} cell
   * @param {number} state
   */
  #mark(cell, state) {
    this.state[cell] = state;
    this.bitmap.set(cell, this.#pixel(cell, state));
  }

  /**
   * @param {number} cell
   * @param {number} state
   */
  #pixel(cell, state) {
    if (state === State.none) return 0;
    if (this.shade === "states") return this.pixels[state];
    return this.pixels[Math.min(255, Math.round((this.value(cell, this.shade) / this.most) * 255))];
  }

  /**
   * Chooses what the colours mean.
   * @param {Shade} shade
   */
  paint(shade) {
    this.shade = shade;
    if (shade === "states") {
      this.pixels = statePixels();
    } else {
      this.pixels = heatPixels();
      this.most = 1;
      const at = this.at;
      // The scale is that of the whole search, so that colours do not change while it is played.
      for (let i = 0; i < this.length; i++) {
        const kind = this.events[i] >>> 28;
        if (kind !== Kinds.expand && kind !== Kinds.push && kind !== Kinds.visit) continue;
        const cell = this.events[i] & CELL;
        const h = shade === "g" ? 0 : this.world.h(cell);
        this.most = Math.max(this.most, shade === "order" ? i : shade === "h" ? h : this.costs[i] + h);
      }
      this.at = at;
    }
    for (let cell = 0; cell < this.state.length; cell++) this.bitmap.pixels[cell] = this.#pixel(cell, this.state[cell]);
    this.bitmap.spoilAll();
  }

  /**
   * @param {number} cell
   * @param {Shade} shade
   */
  value(cell, shade) {
    const expanded = this.expandedBy[cell];
    const by = Math.max(this.pricedBy[cell], expanded);
    const g = by < 0 ? 0 : this.costs[by];
    if (shade === "g") return g;
    if (shade === "h") return this.world.h(cell);
    if (shade === "order") return expanded < 0 ? by : expanded;
    return g + this.world.h(cell);
  }

  /**
   * Returns what is known of a cell at this moment, or null if the search has not reached it.
   * @param {number} cell
   */
  about(cell) {
    const state = this.state[cell];
    if (state === State.none) return null;
    const expanded = this.expandedBy[cell];
    return {
      state: ["", "open", "closed", "re-opened", "closed again"][state],
      g: this.value(cell, "g"),
      h: this.value(cell, "h"),
      f: this.value(cell, "f"),
      visited: expanded < 0 ? null : expanded,
      from: this.parent(cell),
    };
  }

  /**
   * Returns the cell from which this one got its cost, which is the last one expanded before it, or -1.
   * @param {number} cell
   */
  parent(cell) {
    for (let i = this.pricedBy[cell]; i >= 0; i--) {
      const kind = this.events[i] >>> 28;
      if (kind === Kinds.expand || kind === Kinds.visit) return this.events[i] & CELL;
      if (kind === Kinds.phase) return -1;
    }
    return -1;
  }

  /** Returns the latest event in words. */
  latest() {
    if (this.at === 0) return "nothing yet";
    const word = this.events[this.at - 1], kind = word >>> 28, cell = word & CELL;
    const cost = this.costs[this.at - 1];
    if (kind === Kinds.goal) return `goal reached at cost ${cost}`;
    if (kind === Kinds.deepen) return `starts over with limit ${cost}`;
    if (kind === Kinds.phase) return PHASES[cell] ?? "another phase";
    const place = this.world.name(cell % this.world.width, (cell / this.world.width) | 0);
    return `${NAMES[kind]} ${place}${kind === Kinds.push || kind === Kinds.expand ? ` g ${cost}` : ""}`;
  }

  /** Returns the cell of the latest event, or -1 if it has none. */
  latestCell() {
    const word = this.at > 0 ? this.events[this.at - 1] : 0;
    const kind = word >>> 28;
    return this.at === 0 || kind === Kinds.goal || kind === Kinds.deepen || kind === Kinds.phase ? -1 : word & CELL;
  }

  /**
   * Returns how many events to show so that the next (or, backwards, the previous) expansion is the latest event.
   * @param {1 | -1} way
   */
  nextExpansion(way) {
    const isExpansion = (/** @type {number} */ i) => [Kinds.expand, Kinds.visit].includes(this.events[i] >>> 28);
    if (way > 0) {
      let i = this.at;
      while (i < this.length && !isExpansion(i)) i++;
      return Math.min(i + 1, this.length);
    }
    let i = this.at - 2;
    while (i >= 0 && !isExpansion(i)) i--;
    return Math.max(i + 1, 0);
  }

  /** Returns the events as plain values, for a file. */
  toJson(isMesh = false) {
    const { width } = this.world;
    return Array.from(this.events, (word, i) => {
      const kind = word >>> 28, cell = word & CELL, event = NAMES[kind];
      if (kind === Kinds.goal) return { event, cost: this.costs[i] };
      if (kind === Kinds.deepen) return { event, limit: this.costs[i] };
      if (kind === Kinds.phase) return { event, phase: ["connect", "search", "refine"][cell] };
      const place = { event, ...(isMesh ? { at: this.world.name(cell % width, (cell / width) | 0) } : { x: cell % width, y: (cell / width) | 0 }) };
      return kind === Kinds.push || kind === Kinds.expand || kind === Kinds.visit ? { ...place, g: this.costs[i] } : place;
    });
  }
}
