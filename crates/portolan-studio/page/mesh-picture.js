// Pictures of a mesh at the present scale, which are kept and moved while the view is: the ground with its walls, portals
// and labels in one, and what a search has done in another. Not here: where polygons lie (meshes.js).

import { palette } from "./palette.js";

/** @typedef {import("./meshes.js").Meshes} Meshes */
/** @typedef {import("./ground.js").Bitmap} Bitmap */
/** @typedef {import("./grid.js").Sight} Sight */
/** @typedef {{ canvas: HTMLCanvasElement, key: string, unit: number, area: Sight }} Kept */

const NO_POLYGON = 0xffffffff;
/** How far beyond the sight pictures reach, as a share of it, so that panning needs no new ones. */
const RIM = 0.3;
/** How long the scale has to stay before pictures are drawn at it, in milliseconds: until then the old ones are scaled. */
const PAUSE = 120;
/** In how many layers a mesh is drawn, the lowest first, so that what is above covers what is below. */
const STRATA = 24;
const STRATA_TILTED = 160;
/** Edges with fewer pixels, in the mean, are drawn fainter. */
const FINE = 1.2;

/** Polygons or lines in a path: one path of all would take far longer to draw. */
const BATCH = 200;

/** Paths that are drawn in one way, each of a part of what is drawn. */
class Paths {
  /** @type {Path2D[]} */
  list = [];
  #count = 0;

  /** Returns the path for the next polygon or line. */
  next() {
    if (this.#count++ % BATCH === 0) this.list.push(new Path2D());
    return this.list[this.list.length - 1];
  }
}

export class MeshPicture {
  /** The pictures for each canvas. @type {WeakMap<object, Kept[]>} */
  #kept = new WeakMap();
  /** @type {Uint32Array[]} */
  #strata = [];
  #scaledAt = 0;
  #unit = 0;

  /** @param {Meshes} mesh */
  constructor(mesh) {
    this.mesh = mesh;
  }

  /** Forgets all pictures, after the mesh is seen from elsewhere. */
  forget() {
    this.#kept = new WeakMap();
    const { order, depths, isTilted } = this.mesh;
    const most = isTilted ? STRATA_TILTED : STRATA;
    const [least, greatest] = [depths[order[0]], depths[order[order.length - 1]]];
    const stratum = (/** @type {number} */ polygon) => Math.min(most - 1, Math.floor(((depths[polygon] - least) / (greatest - least || 1)) * most));
    this.#strata = [];
    for (let from = 0; from < order.length; ) {
      let to = from;
      while (to < order.length && stratum(order[to]) === stratum(order[from])) to++;
      // Polygons with numbers near each other are near each other, so that a path of them is small.
      this.#strata.push(order.slice(from, to).sort());
      from = to;
    }
  }

  /**
   * Draws the mesh. The first layer is the ground; those that change while a search is played are drawn over the others.
   * Returns whether it has to be drawn again soon, because it was drawn in haste.
   * @param {CanvasRenderingContext2D} context
   * @param {Bitmap[]} layers
   * @param {Sight} sight
   * @param {boolean} isLined
   */
  paint(context, layers, sight, isLined) {
    const { a: unit } = context.getTransform();
    const now = performance.now();
    if (unit !== this.#unit && context.canvas.width > 400) [this.#unit, this.#scaledAt] = [unit, now];
    const isHasty = now - this.#scaledAt < PAUSE;
    const kept = this.#kept.get(context) ?? [];
    this.#kept.set(context, kept);
    const groups = [layers.filter(({ isLively }) => !isLively), layers.filter(({ isLively }) => isLively)];
    let isStopgap = false;
    const seen = this.#clipped(sight);
    const isLabelled = groups[0].length > 1;
    groups.forEach((group, i) => {
      if (group.length === 0) return;
      const key = `${group.map(({ number, version }) => `${number}.${version}`).join()} ${isLined} ${isLabelled}`;
      const old = kept[i];
      const covers = old && old.area.left <= seen.left && old.area.right >= seen.right && old.area.top <= seen.top && old.area.bottom >= seen.bottom;
      const isFresh = old?.key === key && old.unit === unit && covers;
      if (!isFresh && old?.key === key && isHasty) isStopgap = true;
      else if (!isFresh) kept[i] = this.#draw(old?.canvas ?? document.createElement("canvas"), key, unit, this.#around(sight), group, i === 1 ? { isTinted: !isLabelled } : null, isLined);
      const { canvas, area } = kept[i];
      context.imageSmoothingEnabled = kept[i].unit !== unit;
      context.drawImage(canvas, area.left, area.top, canvas.width / kept[i].unit, canvas.height / kept[i].unit);
    });
    return isStopgap;
  }

  /**
   * @param {Sight} sight
   * @returns {Sight}
   */
  #around({ left, top, right, bottom }) {
    const [wide, high] = [(right - left) * RIM, (bottom - top) * RIM];
    return this.#clipped({ left: left - wide, top: top - high, right: right + wide, bottom: bottom + high });
  }

  /**
   * Returns the part of an area in which the mesh lies, with a rim for the width of its lines.
   * @param {Sight} area
   * @returns {Sight}
   */
  #clipped({ left, top, right, bottom }) {
    return { left: Math.max(left, -2), top: Math.max(top, -2), right: Math.min(right, this.mesh.across + 2), bottom: Math.min(bottom, this.mesh.down + 2) };
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {string} key
   * @param {number} unit
   * @param {Sight} area
   * @param {Bitmap[]} layers
   * @param {{ isTinted: boolean } | null} search how to draw a search, if the layers are one
   * @param {boolean} isLined
   * @returns {Kept}
   */
  #draw(canvas, key, unit, area, layers, search, isLined) {
    // The picture begins at a whole pixel of the view, so that moving it does not blur it.
    const [left, top] = [Math.floor(area.left * unit) / unit, Math.floor(area.top * unit) / unit];
    canvas.width = Math.max(1, Math.ceil((area.right - left) * unit));
    canvas.height = Math.max(1, Math.ceil((area.bottom - top) * unit));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
    if (search) for (const layer of layers) this.#search(context, layer, area, 1 / unit, search.isTinted);
    else this.#ground(context, layers, area, 1 / unit, isLined);
    return { canvas, key, unit, area: { ...area, left, top } };
  }

  /**
   * @param {number} polygon
   * @param {Sight} area
   */
  #isIn(polygon, { left, top, right, bottom }) {
    const { boxes } = this.mesh;
    return boxes[4 * polygon] <= right && boxes[4 * polygon + 2] >= left && boxes[4 * polygon + 1] <= bottom && boxes[4 * polygon + 3] >= top;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Bitmap[]} layers
   * @param {Sight} area
   * @param {number} px
   * @param {boolean} isLined
   */
  #ground(context, layers, area, px, isLined) {
    const { mesh } = this;
    const colours = palette();
    const ratio = devicePixelRatio || 1;
    const isFine = 1 / px < FINE * ratio;
    for (const stratum of this.#strata) {
      /** @type {Map<number, Paths>} */
      const fills = new Map();
      const [walls, portals] = [new Paths(), new Paths()];
      for (const polygon of stratum) {
        if (!this.#isIn(polygon, area)) continue;
        const colour = mixed(layers, polygon);
        let paths = fills.get(colour);
        if (!paths) fills.set(colour, (paths = new Paths()));
        mesh.trace(paths.next(), polygon);
        this.#edges(polygon, walls, isLined ? portals : null);
      }
      for (const [colour, { list }] of fills) {
        context.fillStyle = context.strokeStyle = style(colour);
        context.lineWidth = 0.8 * px;
        for (const path of list) {
          context.fill(path);
          // Without lines between polygons, what lies below would show through there.
          if (!isLined) context.stroke(path);
        }
      }
      context.strokeStyle = colours.portal;
      context.lineWidth = (isFine ? 0.5 : 1) * ratio * px;
      for (const path of portals.list) context.stroke(path);
      context.strokeStyle = colours.wall;
      context.lineWidth = (isFine ? 1.1 : 2) * ratio * px;
      for (const path of walls.list) context.stroke(path);
    }
  }

  /**
   * Adds the edges of a polygon to the paths of walls and of portals.
   * @param {number} polygon
   * @param {Paths} walls
   * @param {Paths | null} portals
   */
  #edges(polygon, walls, portals) {
    const { beyond, corners, firsts, places } = this.mesh;
    for (let corner = firsts[polygon]; corner < firsts[polygon + 1]; corner++) {
      const isWall = beyond[corner] === NO_POLYGON;
      if (!isWall && (!portals || beyond[corner] < polygon)) continue;
      const [a, b] = [2 * corners[corner], 2 * corners[this.mesh.after(corner)]];
      const path = (isWall ? walls : /** @type {Paths} */ (portals)).next();
      path.moveTo(places[a], places[a + 1]);
      path.lineTo(places[b], places[b + 1]);
    }
  }

  /**
   * Draws the portals and polygons that a search has reached; polygons beside portals are tinted, unless they have colours of
   * their own.
   * @param {CanvasRenderingContext2D} context
   * @param {Bitmap} layer
   * @param {Sight} area
   * @param {number} px
   * @param {boolean} isTinted
   */
  #search(context, { pixels }, area, px, isTinted) {
    const { mesh } = this;
    const { corners, places, polygons, portals, polygonByCorner, beyond } = mesh;
    /** @type {Map<number, { fill: Paths, tint: Paths, lines: Paths }>} */
    const paths = new Map();
    const of = (/** @type {number} */ pixel) => {
      let path = paths.get(pixel);
      if (!path) paths.set(pixel, (path = { fill: new Paths(), tint: new Paths(), lines: new Paths() }));
      return path;
    };
    for (let polygon = 0; polygon < polygons; polygon++) if (pixels[polygon] !== 0 && this.#isIn(polygon, area)) mesh.trace(of(pixels[polygon]).fill.next(), polygon);
    const tinted = new Uint8Array(polygons);
    portals.forEach((corner, portal) => {
      const pixel = pixels[polygons + portal];
      if (pixel === 0 || !this.#isIn(polygonByCorner[corner], area)) return;
      const { lines, tint } = of(pixel);
      const [a, b] = [2 * corners[corner], 2 * corners[mesh.after(corner)]];
      const line = lines.next();
      line.moveTo(places[a], places[a + 1]);
      line.lineTo(places[b], places[b + 1]);
      for (const polygon of [polygonByCorner[corner], beyond[corner]]) {
        if (!isTinted || tinted[polygon] || pixels[polygon] !== 0) continue;
        tinted[polygon] = 1;
        mesh.trace(tint.next(), polygon);
      }
    });
    for (const [pixel, { fill, tint, lines }] of paths) {
      context.fillStyle = context.strokeStyle = style(pixel);
      context.globalAlpha = 0.4;
      for (const path of tint.list) context.fill(path);
      context.globalAlpha = 1;
      for (const path of fill.list) context.fill(path);
      context.lineWidth = Math.max(2.2 * (devicePixelRatio || 1) * px, 0.25);
      for (const path of lines.list) context.stroke(path);
    }
  }
}

/** @param {number} pixel */
const style = (pixel) => `rgba(${pixel & 255},${(pixel >> 8) & 255},${(pixel >> 16) & 255},${(pixel >>> 24) / 255})`;

/**
 * Returns the colour of a cell under layers one over the other, as a pixel.
 * @param {Bitmap[]} layers
 * @param {number} cell
 */
function mixed([ground, ...others], cell) {
  let colour = ground.pixels[cell];
  for (const { pixels } of others) {
    const pixel = pixels[cell], alpha = (pixel >>> 24) / 255;
    const mix = (/** @type {number} */ by) => Math.round(((pixel >>> by) & 255) * alpha + ((colour >>> by) & 255) * (1 - alpha)) << by;
    colour = (mix(0) | mix(8) | mix(16) | 0xff000000) >>> 0;
  }
  return colour;
}
