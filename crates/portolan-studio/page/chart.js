// What a planner keeps for the world, as far as the person wants to see it: regions, ports and ways level by level, the
// legs of a route, the tree of a port. Not here: the boxes to tick (panel-chart.js).

import { Bitmap } from "./ground.js";
import * as draw from "./overlay.js";
import * as drawMesh from "./overlay-mesh.js";
import { Meshes } from "./meshes.js";
import { isDark, palette, pixel, viridis } from "./palette.js";

/** @typedef {{ regions: boolean, ports: boolean, crossings: boolean, ways: boolean }} Shown */
/**
 * `borders` are the edges between the nodes of a mesh, as `Meshes.borders` returns them.
 * @typedef {{ ports: Uint16Array, crossings: Uint16Array, ways: Uint16Array, labels: Bitmap | null, borders: Uint32Array | null }} Layer
 */

/** How much of the ground shows through the colours of the nodes of a mesh. */
const MESH_ALPHA = 150;

export class Chart {
  /** @type {Layer[]} */
  layers = [];
  /** @type {Uint16Array} */
  regions = new Uint16Array();
  /** @type {Uint16Array} */
  lines = new Uint16Array();
  depths = 0;
  /** What is shown of each layer. @type {Shown[]} */
  shown = [];
  showLines = true;
  /** @type {{ waypoints: ArrayLike<number>, cells: ArrayLike<number>, ends: ArrayLike<number> } | null} */
  legs = null;
  legsShown = 0;
  /** @type {ArrayLike<number>} */
  tree = [];
  /** The level whose nodes are shown on a mesh, from 1 on; 0 for none. */
  level = 0;
  /** Whether lines were left out because there were too many. */
  isCrowded = false;

  clear() {
    this.layers = [];
    this.regions = this.lines = new Uint16Array();
    this.depths = 0;
    this.legs = null;
    this.tree = [];
  }

  /**
   * Takes an outline that the server has sent. What was ticked stays ticked.
   * @param {import("./protocol").Outline} head
   * @param {import("./frame.js").Parts} parts
   * @param {import("./grid.js").Grid} grid
   */
  take(head, parts, grid) {
    const list = (/** @type {string} */ name) => /** @type {Uint16Array} */ (parts[name] ?? new Uint16Array());
    this.regions = list("regions");
    this.lines = list("lines");
    this.depths = 0;
    for (let i = 4; i < this.regions.length; i += 5) this.depths = Math.max(this.depths, this.regions[i] + 1);
    const isMesh = grid instanceof Meshes;
    this.layers = Array.from({ length: head.layers }, (_, i) => {
      const labels = /** @type {Uint32Array} */ (parts[`labels${i}`] ?? new Uint32Array());
      return {
        ports: list(`ports${i}`),
        crossings: list(`crossings${i}`),
        ways: list(`ways${i}`),
        labels: patches(labels, grid.width, grid.height, isMesh ? MESH_ALPHA : 255),
        borders: isMesh && labels.length > 0 ? grid.borders(labels) : null,
      };
    });
    this.level = Math.min(this.level || this.layers.length, this.layers.length);
    while (this.shown.length < this.levels) {
      const first = this.shown.length === 0;
      this.shown.push({ regions: true, ports: first, crossings: false, ways: false });
    }
    this.tree = [];
  }

  /** The number of levels that have boxes: layers, or depths of regions (at most 12) if those are more. */
  get levels() {
    return Math.max(this.layers.length, Math.min(this.depths, 12));
  }

  /** Returns the bitmaps that are drawn with the ground: the nodes of a mesh. */
  get underlays() {
    const { labels, borders } = this.layers[this.level - 1] ?? {};
    return labels && borders ? [labels] : [];
  }

  /**
   * @param {draw.Sheet} sheet
   */
  draw(sheet) {
    const { context, grid, sight, px } = sheet;
    const colours = palette();
    this.isCrowded = false;
    if (grid instanceof Meshes) {
      const borders = this.layers[this.level - 1]?.borders;
      if (borders) drawMesh.borders(sheet, grid, borders);
      return;
    }
    this.layers.forEach((layer, level) => {
      if (layer.labels && this.shown[level]?.regions) {
        context.globalAlpha = 0.45;
        context.drawImage(layer.labels.fresh(), 0, 0);
        context.globalAlpha = 1;
      }
    });
    for (let level = 0; level < this.levels; level++) {
      const shown = this.shown[level];
      // The depths of regions count from the top, levels from the ground.
      const depth = this.depths - 1 - level;
      if (shown.regions && depth >= 0) draw.frames(sheet, this.regions, depth, 1 + 0.9 * level);
      const layer = this.layers[level];
      if (!layer) continue;
      if (shown.ways) this.isCrowded = !draw.lines(sheet, layer.ways, colours.way, Math.min(0.25, 1.2 * px)) || this.isCrowded;
      if (shown.crossings) this.isCrowded = !draw.lines(sheet, layer.crossings, colours.crossing, Math.max(0.3, 2.5 * px)) || this.isCrowded;
      if (shown.ports) draw.dots(sheet, layer.ports, colours.port, Math.max(Math.min(0.5, 6 * px), 2.5 * px) * (1 + 0.35 * level));
    }
    if (this.showLines && this.shown.some(({ regions }) => regions)) {
      context.fillStyle = colours.line;
      for (let i = 0; i + 3 < this.lines.length; i += 4) {
        const [x, y, w, h] = [this.lines[i], this.lines[i + 1], this.lines[i + 2], this.lines[i + 3]];
        if (x > sight.right || y > sight.bottom || x + w < sight.left || y + h < sight.top) continue;
        // A line is drawn about a pixel wide, but not narrower than 0.12 cells and not wider than a cell.
        const thin = Math.max(0.12, Math.min(1, 1.2 * px));
        if (w >= h) context.fillRect(x, y + 0.5 - thin / 2, w, thin);
        else context.fillRect(x + 0.5 - thin / 2, y, thin, h);
      }
    }
    if (this.tree.length > 0) draw.lines(sheet, this.tree, colours.tree, Math.min(0.3, 2 * px));
  }

  /** Returns whether the legs are shown in place of the route. */
  hidesRoute() {
    return this.legs !== null;
  }

  /**
   * @param {draw.Sheet} sheet
   */
  drawLegs(sheet) {
    if (this.legs) draw.legs(sheet, this.legs, this.legsShown);
  }
}

/**
 * Makes a bitmap that shows regions of any shape in different colours.
 * @param {Uint32Array} labels
 * @param {number} width
 * @param {number} height
 * @param {number} alpha
 */
function patches(labels, width, height, alpha) {
  if (labels.length !== width * height || labels.length === 0) return null;
  const bitmap = new Bitmap(width, height);
  const dark = isDark() ? 0.25 : 0;
  labels.forEach((label, cell) => {
    // Neighbouring regions have numbers close to each other: a step by the golden ratio makes their colours different.
    if (label > 0) bitmap.pixels[cell] = pixel(viridis(dark + (1 - dark) * ((label * 0.618034) % 1)), alpha);
  });
  bitmap.spoilAll();
  return bitmap;
}
