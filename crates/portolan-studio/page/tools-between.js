// The tools for borders and links: which side of a cell the pointer means, and what a drag makes of it. Not here: pointers
// (tools.js), and the choices (panel-ground.js).

import { beyond } from "./between.js";
import { sideOf } from "./overlay-between.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {import("./grid.js").Place} Place */
/** @typedef {{ at: Cell, to: Cell, side: number }} Pointed The side of a cell, and the cell beyond it. */

/** How far from a side, in cells, a drag still means it. */
const REACH = 0.4;
/** How much of the way of a drag may lead across a side that it means: those that it crosses it does not mean. */
const ACROSS = 0.75;
/** The least length of a part of a drag: the way of a shorter one means nothing. */
const LEAST = 0.3;
/** How far apart the points of a drag are looked at. */
const STEP = 0.2;

export class BetweenTools {
  /** The border that a drag makes: a number as in the protocol. */
  border = 1;
  cost = 1000;
  isOneWay = false;
  /** Whether the link tool removes links. */
  removes = false;
  /** The sides that the present drag has changed. @type {Set<string>} */
  #done = new Set();

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
  }

  /**
   * Returns the side nearest to a place that has a cell beyond it. Of a drag, it is one along its way that is near enough, or null.
   * @param {Place} place
   * @param {Place} [drag] the way of the drag, of length 1
   * @returns {Pointed | null}
   */
  sideAt(place, drag) {
    const { ground, between } = this.studio.scene;
    if (!ground) return null;
    const at = ground.grid.at(place);
    if (!ground.has(...at)) return null;
    let found = null, nearest = drag ? REACH : Infinity;
    for (let side = 0; side < 8; side++) {
      const to = beyond(between.isHex, at, side);
      if (!to || !ground.has(...to)) continue;
      const { way, middle } = sideOf(ground.grid, between.isHex, at, to);
      const [dx, dy] = [place[0] - middle[0], place[1] - middle[1]];
      if (drag && Math.abs(drag[0] * way[0] + drag[1] * way[1]) > ACROSS) continue;
      const off = Math.abs(dx * way[0] + dy * way[1]);
      if (off < nearest) [found, nearest] = [{ at, to, side }, off];
    }
    return found;
  }

  /**
   * Begins a drag along sides.
   * @param {Place} place
   */
  begin(place) {
    this.#done.clear();
    this.#set([this.sideAt(place)]);
  }

  /**
   * Sets the borders of the sides along a part of a drag, once it is long enough to have a way. Returns where the next part begins.
   * @param {Place} from
   * @param {Place} to
   * @returns {Place}
   */
  along(from, to) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < LEAST) return from;
    const drag = /** @type {Place} */ ([(to[0] - from[0]) / length, (to[1] - from[1]) / length]);
    const steps = Math.ceil(length / STEP);
    const places = Array.from({ length: steps }, (_, i) => /** @type {Place} */ ([0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * (i + 1)) / steps)));
    this.#set(places.map((place) => this.sideAt(place, drag)));
    return to;
  }

  /** @param {(Pointed | null)[]} sides */
  #set(sides) {
    /** @type {number[]} */
    const borders = [];
    for (const pointed of sides) {
      if (!pointed) continue;
      const { at, to, side } = pointed;
      const [name, back] = [`${at} ${to}`, `${to} ${at}`];
      if (this.#done.has(name) || this.#done.has(back)) continue;
      this.#done.add(name);
      borders.push(...at, 1, 1, side, this.border);
    }
    if (borders.length > 0) this.studio.strokes.between({ borders: Uint16Array.from(borders) });
  }

  /**
   * Makes the link of a drag, or removes the links at its ends.
   * @param {Cell} from
   * @param {Cell} to
   */
  link(from, to) {
    const { ground, between } = this.studio.scene;
    if (!ground?.has(...from) || !ground.has(...to)) return;
    const isSame = from[0] === to[0] && from[1] === to[1];
    /** @type {number[]} */
    let links = [];
    if (this.removes) links = between.linksAt(to).flatMap((link) => [...link.from, ...link.to, 0, Number(link.isBothWays)]);
    else if (!isSame) links = [...from, ...to, this.cost, Number(!this.isOneWay)];
    if (links.length > 0) this.studio.strokes.between({ links: Uint32Array.from(links) });
  }
}
