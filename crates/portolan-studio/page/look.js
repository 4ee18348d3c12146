// What the page shows over the ground besides searches: the field of the goal, how large a body fits in each cell, and the world as
// an agent of some profile sees it. Not here: drawing it (overlay-look.js).

import { Bitmap } from "./ground.js";
import { heatPixels } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {"none" | "field" | "clearance"} What */

/** The number for no cost and no cell. */
export const NONE = 0xffffffff;

export class Look {
  /** @type {What} */
  what = "none";
  /** The profile of the agent, in words; empty for one of a cell that goes anywhere. */
  profile = "";
  /** @type {{ costs: Uint32Array, next: Uint32Array, dearest: number, us: number, bytes: number } | null} */
  field = null;
  /** @type {Uint8Array | null} */
  sizes = null;
  /** The shades of the field or of the sizes. @type {Bitmap | null} */
  bitmap = null;
  #asking = false;
  #again = false;

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    studio.on("world", () => {
      this.profile = "";
      this.#clear();
      void this.refresh();
    });
    studio.on("edited", () => void this.refresh());
    let goal = "";
    studio.on("question", () => {
      const now = studio.scene.to.join();
      if (now !== goal && this.what === "field") void this.refresh();
      goal = now;
    });
    studio.on("theme", () => this.#shade());
  }

  #clear() {
    this.field = this.sizes = this.bitmap = null;
  }

  /** @param {What} what */
  async show(what) {
    this.what = what;
    await this.refresh();
  }

  /**
   * Shows the world as an agent of a profile sees it, and searches there. Returns whether there is such an agent.
   * @param {string} profile
   */
  async as(profile) {
    const { studio } = this;
    const answer = await studio.request({ do: "look", profile });
    if (!answer || !studio.scene.ground) return false;
    this.profile = profile;
    studio.scene.ground.see(/** @type {Uint8Array} */ (answer.parts.seen));
    await this.refresh();
    if (studio.found) void studio.ask();
    studio.draw();
    return true;
  }

  /** Asks for what is shown once more. While an answer is awaited, only one more question is kept. */
  async refresh() {
    const { studio } = this;
    const { ground, to } = studio.scene;
    if (this.#asking) return void (this.#again = true);
    if (!ground || !studio.world || studio.world.mesh || this.what === "none") {
      this.#clear();
      studio.tell("look");
      return studio.draw();
    }
    this.#asking = true;
    const what = this.what;
    const answer = await studio.request(what === "field" ? { do: "field", to } : { do: "clearance" });
    this.#asking = false;
    if (this.#again) {
      this.#again = false;
      return void (await this.refresh());
    }
    if (ground !== studio.scene.ground || what !== this.what) return;
    if (!answer) {
      // What is shown would be that of the world before.
      this.#clear();
      studio.tell("look");
      return studio.draw();
    }
    const { parts, head } = answer;
    this.field = what === "field" ? { costs: /** @type {Uint32Array} */ (parts.costs), next: /** @type {Uint32Array} */ (parts.next), dearest: head.dearest, us: head.us, bytes: head.bytes } : null;
    this.sizes = what === "clearance" ? /** @type {Uint8Array} */ (parts.sizes) : null;
    this.#shade();
    studio.tell("look");
    studio.draw();
  }

  /** Paints the shades: light where it is near or wide. */
  #shade() {
    const { ground } = this.studio.scene;
    if (!ground || (!this.field && !this.sizes)) return void (this.bitmap = null);
    const bitmap = new Bitmap(ground.width, ground.height);
    const heat = heatPixels();
    if (this.field) {
      const { costs, dearest } = this.field;
      for (let cell = 0; cell < costs.length; cell++) if (costs[cell] !== NONE) bitmap.pixels[cell] = heat[255 - Math.round((255 * costs[cell]) / Math.max(1, dearest))];
    } else if (this.sizes) {
      for (let cell = 0; cell < this.sizes.length; cell++) if (this.sizes[cell] > 0) bitmap.pixels[cell] = heat[Math.min(255, (this.sizes[cell] - 1) * 32)];
    }
    bitmap.spoilAll();
    this.bitmap = bitmap;
  }
}
