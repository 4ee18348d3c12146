// What one mind did tick by tick, and what it knew at the tick that is shown: counters go forth and back in time. Not here: when time
// passes (mind.js), and how it looks (overlay-mind.js).

/** @typedef {import("./frame.js").Parts} Parts */

/** Most changes of counters that are kept: after more of them, time cannot go back before the latest. */
const MOST = 4_000_000;

export class MindTape {
  /** Where the mind was at each tick, as places of a route. @type {number[]} */
  walked = [];
  /** How it chose the step of each tick. @type {number[]} */
  modes = [];
  /** The route that it follows. @type {ArrayLike<number>} */
  planned = [];
  /** The shortest way of its walk. @type {ArrayLike<number>} */
  shortest = [];
  /** The tick at which its present walk began. */
  begun = 0;
  /** The tick that the counters are those of. */
  at = -1;
  /** How many hexagons are known at that tick. */
  known = 0;
  /** The first tick that time can go back to. */
  first = 0;
  /** How many changes there are after each tick. @type {number[]} */
  #ends = [];
  /** @type {number[]} */
  #changed = [];
  /** @type {number[]} */
  #before = [];
  /** @type {number[]} */
  #after = [];
  /** The counters by hexagon after the latest tick. */
  #latest = new Uint16Array();
  /** The counters by hexagon at the tick that is shown. */
  counters = new Uint16Array();

  /** @param {(hexagon: number, counter: number) => void} paint is called for each counter that changes in what is shown */
  constructor(paint) {
    this.paint = paint;
  }

  /** The latest tick. */
  get last() {
    return this.#ends.length - 1;
  }

  /**
   * Takes over what the server tells of a mind.
   * @param {Parts} parts
   * @param {number} number of the mind
   * @param {number} hexagons
   */
  take(parts, number, hexagons) {
    const part = (/** @type {string} */ name) => parts[`${name}${number}`] ?? [];
    for (const value of part("walked")) this.walked.push(value);
    for (const mode of part("modes")) this.modes.push(mode);
    if (parts[`shortest${number}`]) this.shortest = part("shortest");
    this.planned = part("planned");
    this.counters = this.#grown(this.counters, hexagons);
    this.#latest = this.#grown(this.#latest, hexagons);
    const [changed, counters, ends] = [part("changed"), part("counters"), part("ends")];
    if (this.#changed.length > 0 && this.#changed.length + changed.length > MOST) this.#forget();
    const from = this.#changed.length;
    for (let i = 0; i < changed.length; i++) {
      this.#changed.push(changed[i]);
      this.#before.push(this.#latest[changed[i]]);
      this.#after.push(counters[i]);
      this.#latest[changed[i]] = counters[i];
    }
    for (const end of ends) this.#ends.push(from + end);
  }

  /**
   * @param {Uint16Array<ArrayBuffer>} counters
   * @param {number} hexagons
   */
  #grown(counters, hexagons) {
    if (counters.length >= hexagons) return counters;
    const grown = new Uint16Array(hexagons);
    grown.set(counters);
    return grown;
  }

  /** Forgets all changes before the latest tick, which is then shown. */
  #forget() {
    this.seek(this.last);
    this.first = this.last;
    this.#changed = [];
    this.#before = [];
    this.#after = [];
    this.#ends.fill(0);
  }

  /**
   * Shows what was known after a tick.
   * @param {number} tick
   */
  seek(tick) {
    const wanted = Math.max(this.first, Math.min(tick, this.last));
    if (wanted < 0) return;
    const end = this.#ends[wanted];
    let i = this.at < 0 ? 0 : this.#ends[this.at];
    for (; i < end; i++) this.#set(this.#changed[i], this.#after[i]);
    for (; i > end; i--) this.#set(this.#changed[i - 1], this.#before[i - 1]);
    this.at = wanted;
  }

  /**
   * @param {number} hexagon
   * @param {number} counter
   */
  #set(hexagon, counter) {
    this.known += Number(counter > 0) - Number(this.counters[hexagon] > 0);
    this.counters[hexagon] = counter;
    this.paint(hexagon, counter);
  }
}
