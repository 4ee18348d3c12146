// The edits of the person: drawn on the page at once, sent to the server as fast as it answers, undone and redone. Not
// here: which cells a tool edits (tools.js).

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Edited} Edited */
/** @typedef {import("./frame.js").Parts} Parts */

/** Most numbers in the edits of one command; a fill can have more. */
const MOST_NUMBERS = 5 * 50_000;

export class Strokes {
  /** Edits that were not sent to the server yet, by stroke; those of borders and links are not drawn before. @type {{ stroke: number, edits: number[], parts?: Parts }[]} */
  #untold = [];
  #stroke = 0;
  #editing = false;

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
  }

  /** Forgets the edits that were not sent: when the connection is back, the world is sent as a whole. */
  lose() {
    this.#editing = false;
    this.#untold = [];
  }

  /** Begins a stroke, whose edits are undone together, and returns its number. */
  begin() {
    return ++this.#stroke;
  }

  /**
   * Edits the world: on the page at once, on the server as fast as it answers.
   * @param {number[]} edits x, y, width, height, and the weight with 256 times the kind, one after the other
   */
  edit(edits) {
    if (edits.length === 0 || !this.studio.scene.ground) return;
    this.studio.scene.ground.apply(edits);
    const last = this.#untold.at(-1);
    if (last?.stroke === this.#stroke && !last.parts) last.edits = last.edits.concat(edits);
    else this.#untold.push({ stroke: this.#stroke, edits });
    this.studio.draw();
    void this.#sendEdits();
  }

  /**
   * Edits borders or links, which the page shows when the server has done so.
   * @param {Parts} parts `borders` or `links` as in the protocol
   */
  between(parts) {
    if (!this.studio.scene.ground) return;
    this.#untold.push({ stroke: this.#stroke, edits: [], parts });
    void this.#sendEdits();
  }

  async #sendEdits() {
    if (this.#editing) return;
    const [first] = this.#untold;
    if (!first) return;
    this.#editing = true;
    if (first.parts) {
      this.#untold.shift();
      await this.#change({ do: "edit", stroke: first.stroke }, first.parts);
      this.#editing = false;
      return void this.#sendEdits();
    }
    const edits = Uint16Array.from(first.edits.slice(0, MOST_NUMBERS));
    first.edits = first.edits.slice(MOST_NUMBERS);
    if (first.edits.length === 0) this.#untold.shift();
    await this.#change({ do: "edit", stroke: first.stroke }, { edits });
    this.#editing = false;
    void this.#sendEdits();
  }

  /** Waits until every edit is sent and answered. */
  async #allTold() {
    while (this.#editing || this.#untold.length > 0) {
      if (!this.studio.link.isOpen) return;
      await new Promise((done) => setTimeout(done, 5));
    }
  }

  async takeBack() {
    // Otherwise only the part of a stroke that was sent already would be undone.
    await this.#allTold();
    if (this.studio.undo > 0) await this.#change({ do: "undo" }, {});
  }

  async doAgain() {
    await this.#allTold();
    if (this.studio.redo > 0) await this.#change({ do: "redo" }, {});
  }

  /**
   * @param {object} command
   * @param {Parts} parts
   */
  async #change(command, parts) {
    const begun = performance.now();
    const answer = await this.studio.request(command, parts);
    if (!answer) this.#takeBackRefused();
    if (!answer || !this.studio.world) return;
    const edited = /** @type {Edited} */ (answer.head);
    this.patch(answer.parts.patch);
    this.hold(answer.parts);
    this.counts(edited);
    Object.assign(this.studio.world, { least: edited.least, free: edited.free });
    for (const view of this.studio.views) view.flash(answer.parts.areas ?? []);
    if (edited.found && "error" in edited.found) this.studio.say(edited.found.error, true);
    else if (edited.found && !this.studio.isWalking) this.studio.questions.take(edited.found, answer.parts, false, true);
    const { apply_us, repair } = edited;
    this.studio.latestEdit = { us: apply_us + (repair?.us ?? 0), roundTrip: performance.now() - begun, apply_us, repair };
    this.studio.tell("edited", edited);
    this.studio.draw();
  }

  /**
   * Applies edits that the server has made; edits that are not sent yet stay on top.
   * @param {ArrayLike<number> | undefined} patch
   */
  patch(patch) {
    if (!patch) return;
    this.studio.scene.ground?.hold(patch);
    this.#drawUntold();
  }

  /**
   * Takes over borders, links and what an agent sees, as far as the server sent them.
   * @param {Parts} parts
   */
  hold(parts) {
    const { ground, between } = this.studio.scene;
    between.take(parts);
    if (parts.borders) ground?.noteEdited();
    if (ground && parts.seen) ground.see(/** @type {Uint8Array} */ (parts.seen));
  }

  /**
   * Removes an edit from the page that the server refused. If the connection broke instead, the edit stays, because the
   * whole world is sent again.
   */
  #takeBackRefused() {
    if (!this.studio.link.isOpen) return;
    this.studio.scene.ground?.takeBack();
    this.#drawUntold();
    this.studio.tell("edited");
    this.studio.draw();
  }

  #drawUntold() {
    for (const { edits } of this.#untold) this.studio.scene.ground?.apply(edits);
  }

  /** @param {{ undo: number, redo: number }} counts */
  counts({ undo, redo }) {
    this.studio.undo = undo;
    this.studio.redo = redo;
  }
}
