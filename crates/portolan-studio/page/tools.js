// What a pointer does to the world: brushes and shapes, dragging start and goal, panning and zooming by mouse and by
// touch. Not here: the buttons (main.js), and what follows from edits (studio.js).

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./view.js").View} View */
/** @typedef {"hand" | "brush" | "line" | "rectangle" | "fill" | "tree" | "border" | "link"} Tool */

import { BetweenTools } from "./tools-between.js";

/** The distance, in pixels, from start or goal within which a pointer counts as on it. */
const GRIP = 12;
/** The number of cells after which a fill stops. */
const MOST_FILL = 1 << 22;

export class Tools {
  /** @type {Tool} */
  tool = "hand";
  /** The weight that is drawn; 0 blocks. */
  weight = 0;
  size = 1;
  /** The kind of ground that is drawn. */
  kind = 0;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  /** @type {{ kind: "pan" | "from" | "to" | "draw", from: [number, number], last: [number, number] } | null} */
  #drag = null;
  /** The place under the pointer. @type {[number, number]} */
  pointer = [0, 0];
  /** Where the latest part of a drag along sides ended. @type {[number, number]} */
  #place = [0, 0];
  /** Called when the pointer is over another cell, or moves while a crowd walks. */
  onhover = () => {};

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.between = new BetweenTools(studio);
  }

  /** @param {View} view */
  attach(view) {
    const { canvas } = view;
    canvas.addEventListener("pointerdown", (event) => this.#down(view, event));
    canvas.addEventListener("pointermove", (event) => this.#move(view, event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this.#up(view, /** @type {PointerEvent} */ (event)));
    canvas.addEventListener("pointerleave", () => this.#hover(null));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015));
      this.studio.camera.zoom(factor, event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    }, { passive: false });
  }

  /** @param {[number, number] | null} spot */
  #hover(spot) {
    const { scene } = this.studio;
    if (scene.hover?.[0] === spot?.[0] && scene.hover?.[1] === spot?.[1]) return scene.crowd ? this.onhover() : undefined;
    scene.hover = spot;
    this.onhover();
    this.studio.draw();
  }

  /**
   * @param {View} view
   * @param {PointerEvent} event
   * @returns {[number, number]}
   */
  #cell(view, event) {
    return this.studio.scene.ground?.grid.at(view.placeOf(event)) ?? [-1, -1];
  }

  /**
   * @param {View} view
   * @param {PointerEvent} event
   */
  #down(view, event) {
    view.canvas.focus({ preventScroll: true });
    try {
      view.canvas.setPointerCapture(event.pointerId);
    } catch {
      // The pointer may have been lifted already.
    }
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#pointers.size > 1) {
      this.#drag = { kind: "pan", from: [0, 0], last: [0, 0] };
      return;
    }
    const cell = this.#cell(view, event);
    const { scene, camera } = this.studio;
    const isOn = (/** @type {import("./protocol").AnySpot} */ end) => {
      const [x, y] = view.placeOf(event), [ex, ey] = scene.ground?.grid.place(end) ?? [Infinity, Infinity];
      return Math.hypot(ex - x, ey - y) * camera.scale < Math.max(GRIP, camera.scale / 2);
    };
    const isMain = event.button === 0;
    /** @type {"pan" | "from" | "to" | "draw"} */
    let kind = "pan";
    if (isMain && event.shiftKey && !scene.game) this.#put(view, event, (kind = "from"));
    else if (isMain && event.altKey && !scene.game) this.#put(view, event, (kind = "to"));
    else if (isMain && isOn(scene.to) && !scene.game) kind = "to";
    else if (isMain && isOn(scene.from) && !this.studio.isWalking && !scene.game) kind = "from";
    else if (isMain && this.tool === "tree") void this.studio.tree(cell);
    else if (isMain && this.tool !== "hand") kind = "draw";
    this.#drag = { kind, from: cell, last: cell };
    if (kind === "draw") {
      this.studio.newStroke();
      if (this.tool === "brush") this.#paint(cell, cell);
      if (this.tool === "fill") this.studio.edit(this.fill(cell));
      if (this.tool === "border") this.between.begin(this.#place = view.placeOf(event));
    }
  }

  /**
   * @param {View} view
   * @param {PointerEvent} event
   */
  #move(view, event) {
    const cell = this.#cell(view, event);
    this.pointer = view.placeOf(event);
    this.#hover(cell);
    this.#point();
    const before = this.#pointers.get(event.pointerId);
    if (!before || !this.#drag) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.#pointers.size > 1) this.#pinch(view, event.pointerId, now);
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size > 1) return;
    const drag = this.#drag;
    switch (drag.kind) {
      case "pan":
        this.studio.camera.pan(now.x - before.x, now.y - before.y);
        break;
      case "from":
      case "to":
        this.#put(view, event, drag.kind);
        break;
      case "draw":
        if (this.tool === "brush") this.#paint(drag.last, cell);
        else if (this.tool === "border") this.#place = this.between.along(this.#place, this.pointer);
        else if (this.tool === "link") this.#sketch(drag.from, cell);
        else if (this.tool !== "fill") this.#preview(drag.from, cell);
        drag.last = cell;
    }
  }

  /** Shows the side that the border tool would change. */
  #point() {
    const { scene } = this.studio;
    const side = this.tool === "border" && !scene.game ? this.between.sideAt(this.pointer) : null;
    if (scene.side?.side === side?.side && scene.side?.at.join() === side?.at.join()) return;
    scene.side = side;
    this.studio.draw();
  }

  /**
   * Shows the link that would be made.
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  #sketch(from, to) {
    this.studio.scene.link = this.between.removes ? null : { from, to, cost: 0, isBothWays: !this.between.isOneWay };
    this.studio.draw();
  }

  /**
   * Moves start or goal to where the pointer is.
   * @param {View} view
   * @param {PointerEvent} event
   * @param {"from" | "to"} end
   */
  #put(view, event, end) {
    const { ground } = this.studio.scene;
    const spot = ground?.has(...this.#cell(view, event)) && ground.grid.spot(view.placeOf(event));
    if (spot && !(end === "from" && this.studio.isWalking)) this.studio.move(end, spot);
  }

  /**
   * Moves and zooms by two fingers: what was under them stays under them.
   * @param {View} view
   * @param {number} moved
   * @param {{ x: number, y: number }} now
   */
  #pinch(view, moved, now) {
    const [a, b] = [...this.#pointers.entries()].slice(0, 2);
    const after = [a, b].map(([id, at]) => (id === moved ? now : at));
    const middle = (/** @type {{ x: number, y: number }[]} */ [p, q]) => [(p.x + q.x) / 2, (p.y + q.y) / 2];
    const apart = (/** @type {{ x: number, y: number }[]} */ [p, q]) => Math.max(1, Math.hypot(p.x - q.x, p.y - q.y));
    const [from, to] = [middle([a[1], b[1]]), middle(after)];
    const box = view.canvas.getBoundingClientRect();
    this.studio.camera.pan(to[0] - from[0], to[1] - from[1]);
    this.studio.camera.zoom(apart(after) / apart([a[1], b[1]]), to[0] - box.left - box.width / 2, to[1] - box.top - box.height / 2);
  }

  /**
   * @param {View} view
   * @param {PointerEvent} event
   */
  #up(view, event) {
    this.#pointers.delete(event.pointerId);
    const drag = this.#drag;
    if (this.#pointers.size > 0) return;
    this.#drag = null;
    if (drag?.kind === "draw" && this.tool === "link") {
      this.studio.scene.link = null;
      this.between.link(drag.from, this.#cell(view, event));
      this.studio.draw();
    }
    if (drag?.kind === "draw" && (this.tool === "line" || this.tool === "rectangle")) {
      this.studio.edit(this.shape(drag.from, this.#cell(view, event)));
      this.studio.scene.preview = null;
      this.studio.draw();
    }
  }

  /**
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  #preview(from, to) {
    this.studio.scene.preview = Uint16Array.from(this.shape(from, to));
    this.studio.draw();
  }

  /**
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  #paint(from, to) {
    this.studio.edit(this.line(from, to));
  }

  /**
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  shape(from, to) {
    return this.tool === "rectangle" ? this.rectangle(from, to) : this.line(from, to);
  }

  /** What is drawn, as edits tell it. */
  get #terrain() {
    return this.weight === 0 ? 0 : this.weight + 256 * this.kind;
  }

  /**
   * Returns an edit of this area, cut to the world, or an empty list if the area lies outside.
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @returns {number[]}
   */
  #cut(x, y, width, height) {
    const { ground } = this.studio.scene;
    if (!ground) return [];
    const [left, top] = [Math.max(0, x), Math.max(0, y)];
    const [right, bottom] = [Math.min(ground.width, x + width), Math.min(ground.height, y + height)];
    return right > left && bottom > top ? [left, top, right - left, bottom - top, this.#terrain] : [];
  }

  /**
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  rectangle([ax, ay], [bx, by]) {
    return this.#cut(Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx) + 1, Math.abs(ay - by) + 1);
  }

  /**
   * Returns edits for the areas of the brush along a line. A thin line has no gap that an agent could pass.
   * @param {[number, number]} from
   * @param {[number, number]} to
   */
  line(from, to) {
    const grid = this.studio.scene.ground?.grid;
    if (!grid) return [];
    const areas = grid.line(from, to, this.size === 1).flatMap((at) => grid.brush(at, this.size));
    return areas.flatMap((area) => this.#cut(...area));
  }

  /**
   * Returns edits for all cells that are connected with a cell and have its weight, one for each run in a row.
   * @param {[number, number]} cell
   */
  fill([x, y]) {
    const { ground } = this.studio.scene;
    if (!ground?.has(x, y) || ground.weight(x, y) + 256 * ground.kind(x, y) === this.#terrain) return [];
    const { width, height, weights } = ground;
    const old = ground.weight(x, y);
    const seen = new Uint8Array(weights.length);
    const edits = [];
    const stack = [y * width + x];
    let filled = 0;
    while (stack.length > 0 && filled < MOST_FILL) {
      const cell = /** @type {number} */ (stack.pop());
      if (seen[cell] || weights[cell] !== old) continue;
      const row = (cell / width) | 0;
      let [left, right] = [cell, cell];
      while (left % width > 0 && weights[left - 1] === old && !seen[left - 1]) left--;
      while (right % width < width - 1 && weights[right + 1] === old && !seen[right + 1]) right++;
      seen.fill(1, left, right + 1);
      const [first, last] = ground.grid.beside(row);
      const from = row * width + Math.max(0, (left % width) + first), to = row * width + Math.min(width - 1, (right % width) + last);
      for (let at = from; at <= to; at++) {
        if (row > 0 && weights[at - width] === old && !seen[at - width]) stack.push(at - width);
        if (row + 1 < height && weights[at + width] === old && !seen[at + width]) stack.push(at + width);
      }
      filled += right - left + 1;
      edits.push(left % width, row, right - left + 1, 1, this.#terrain);
    }
    return edits;
  }
}
