// The geometry of navigation meshes: convex polygons, seen from above or at an angle. Their polygons are cells in rows of
// 256, and the portals between them follow as further cells, so that all that is kept by cell is kept as on grids. Lengths
// are scaled so that a polygon is about four units wide. Not here: pictures of meshes (mesh-picture.js).

import { MeshPicture } from "./mesh-picture.js";

/** @typedef {import("./grid.js").Area} Area */
/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {import("./grid.js").Context} Context */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("./grid.js").Sight} Sight */
/** @typedef {import("./protocol").Spot} Spot */
/** @typedef {import("./protocol").AnySpot} AnySpot */

/** Polygons in a row of cells. */
const COLUMNS = 256;
/** The number of the polygon beyond an edge that is a wall. */
export const WALL = 0xffffffff;
/** About how many units wide a polygon is. */
const WIDTH = 4;
/** Polygons in a bucket, about. */
const BUCKET = 4;

/** @implements {Grid} */
export class Meshes {
  finest = Infinity;
  small = 0;
  stride = 3;
  isTilted = false;
  /** The least coordinates of all vertices as they are seen. @type {[number, number]} */
  least = [0, 0];
  across = 1;
  down = 1;

  /**
   * @param {number} polygons
   * @param {import("./frame.js").Parts} parts
   */
  constructor(polygons, parts) {
    this.polygons = polygons;
    this.vertices = /** @type {Float32Array} */ (parts.vertices);
    this.firsts = /** @type {Uint32Array} */ (parts["first-corners"]);
    this.corners = /** @type {Uint32Array} */ (parts.corners);
    this.beyond = /** @type {Uint32Array} */ (parts.beyond);
    /** The corner at which each portal begins, as an edge of the polygon with the lower number. @type {number[]} */
    this.portals = [];
    this.polygonByCorner = new Uint32Array(this.corners.length);
    for (let polygon = 0; polygon < polygons; polygon++) {
      for (let corner = this.firsts[polygon]; corner < this.firsts[polygon + 1]; corner++) {
        this.polygonByCorner[corner] = polygon;
        if (this.beyond[corner] !== WALL && this.beyond[corner] > polygon) this.portals.push(corner);
      }
    }
    this.width = COLUMNS;
    this.height = Math.ceil((polygons + this.portals.length) / COLUMNS);
    /** Units of the page in a unit of the mesh. */
    this.unit = WIDTH / Math.sqrt(this.#area() / polygons || 1);
    /** The vertices as places. */
    this.places = new Float32Array((this.vertices.length / 3) * 2);
    /** The least and the greatest coordinates of each polygon. */
    this.boxes = new Float32Array(4 * polygons);
    /** The polygons from the farthest to the nearest. */
    this.order = new Uint32Array(polygons);
    this.rank = new Uint32Array(polygons);
    this.depths = new Float32Array(polygons);
    this.picture = new MeshPicture(this);
    this.tilt(false);
  }

  #area() {
    let area = 0;
    for (let corner = 0; corner < this.corners.length; corner++) {
      const [a, b] = [3 * this.corners[corner], 3 * this.corners[this.after(corner)]];
      area += (this.vertices[a] * this.vertices[b + 1] - this.vertices[b] * this.vertices[a + 1]) / 2;
    }
    return Math.abs(area);
  }

  /**
   * Returns the corner that follows a corner around its polygon.
   * @param {number} corner
   */
  after(corner) {
    const polygon = this.polygonByCorner[corner];
    return corner + 1 < this.firsts[polygon + 1] ? corner + 1 : this.firsts[polygon];
  }

  /**
   * Shows the mesh at an angle or from above.
   * @param {boolean} isTilted
   */
  tilt(isTilted) {
    this.isTilted = isTilted;
    this.least = [0, 0];
    const { vertices, places } = this;
    const count = places.length / 2;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const [x, y] = this.body(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
      [places[2 * i], places[2 * i + 1]] = [x, y];
      left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
    }
    for (let i = 0; i < count; i++) places[2 * i] -= left, places[2 * i + 1] -= top;
    this.least = [left, top];
    [this.across, this.down] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)];
    this.#arrange();
    this.picture.forget();
  }

  /** Finds the bounds of polygons, what covers what, and which polygons are near each place. */
  #arrange() {
    const { boxes, depths, vertices } = this;
    const columns = Math.max(1, Math.ceil(Math.sqrt(this.polygons / BUCKET)));
    this.buckets = { columns, width: this.across / columns, height: this.down / columns, lists: /** @type {number[][]} */ (Array.from({ length: columns * columns }, () => [])) };
    for (let polygon = 0; polygon < this.polygons; polygon++) {
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      let depth = 0;
      for (let corner = this.firsts[polygon]; corner < this.firsts[polygon + 1]; corner++) {
        const vertex = this.corners[corner];
        const [x, y] = [this.places[2 * vertex], this.places[2 * vertex + 1]];
        left = Math.min(left, x), right = Math.max(right, x), top = Math.min(top, y), bottom = Math.max(bottom, y);
        depth += vertices[3 * vertex + 2] + (this.isTilted ? vertices[3 * vertex] + vertices[3 * vertex + 1] : 0);
      }
      boxes.set([left, top, right, bottom], 4 * polygon);
      depths[polygon] = depth / (this.firsts[polygon + 1] - this.firsts[polygon]);
      this.#eachBucket({ left, top, right, bottom }, (list) => list.push(polygon));
      this.order[polygon] = polygon;
    }
    this.order.sort((a, b) => depths[a] - depths[b] || a - b);
    this.order.forEach((polygon, rank) => (this.rank[polygon] = rank));
  }

  /**
   * @param {Sight} area
   * @param {(list: number[]) => void} act
   */
  #eachBucket({ left, top, right, bottom }, act) {
    if (!this.buckets) return;
    const { columns, width, height, lists } = this.buckets;
    const within = (/** @type {number} */ at) => Math.max(0, Math.min(columns - 1, Math.floor(at)));
    for (let row = within(top / height); row <= within(bottom / height); row++) {
      for (let column = within(left / width); column <= within(right / width); column++) act(lists[row * columns + column]);
    }
  }

  /**
   * Returns where a point of the mesh lies.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {Place}
   */
  body(x, y, z) {
    const [across, down] = this.isTilted ? [(x - y) * 0.866, (x + y) * 0.5 - z] : [x, y];
    return [across * this.unit - this.least[0], down * this.unit - this.least[1]];
  }

  /**
   * Returns the weights of the first corner and of two corners beside each other in a point inside a polygon, for the
   * triangle of them that the point lies in; in the plan, or as the mesh is seen.
   * @param {number} polygon
   * @param {Place} at
   * @param {boolean} inPlan
   * @returns {[vertices: [number, number, number], shares: [number, number, number]]}
   */
  #shares(polygon, [x, y], inPlan) {
    const [first, end] = [this.firsts[polygon], this.firsts[polygon + 1]];
    const [list, stride] = inPlan ? [this.vertices, 3] : [this.places, 2];
    /** @type {[number, [number, number, number], [number, number, number]]} */
    let best = [-Infinity, [0, 0, 0], [1, 0, 0]];
    for (let corner = first + 1; corner + 1 < end; corner++) {
      const [a, b, c] = [this.corners[first], this.corners[corner], this.corners[corner + 1]];
      const side = (/** @type {number} */ p, /** @type {number} */ q) => (list[stride * q] - list[stride * p]) * (y - list[stride * p + 1]) - (list[stride * q + 1] - list[stride * p + 1]) * (x - list[stride * p]);
      const [ab, bc, ca] = [side(a, b), side(b, c), side(c, a)];
      const whole = ab + bc + ca;
      if (whole === 0) continue;
      const least = Math.min(ab / whole, bc / whole, ca / whole);
      if (least > best[0]) best = [least, [a, b, c], [bc / whole, ca / whole, ab / whole]];
    }
    return [best[1], best[2]];
  }

  /**
   * @param {AnySpot} spot
   * @returns {Place}
   */
  place([polygon, x, y = 0]) {
    if (!(polygon < this.polygons)) return [0, 0];
    const [vertices, shares] = this.#shares(polygon, [x, y], true);
    return this.body(x, y, vertices.reduce((sum, vertex, i) => sum + this.vertices[3 * vertex + 2] * shares[i], 0));
  }

  /**
   * @param {Place} place
   * @returns {AnySpot | null}
   */
  spot(place) {
    const polygon = this.#polygon(place);
    if (polygon < 0) return null;
    const [vertices, shares] = this.#shares(polygon, place, false);
    const mean = (/** @type {number} */ axis) => vertices.reduce((sum, vertex, i) => sum + this.vertices[3 * vertex + axis] * shares[i], 0);
    return [polygon, mean(0), mean(1)];
  }

  /**
   * Returns the polygon that is seen at a place, or -1.
   * @param {Place} place
   */
  #polygon([x, y]) {
    let seen = -1;
    if (x < 0 || y < 0 || x > this.across || y > this.down) return seen;
    this.#eachBucket({ left: x, top: y, right: x, bottom: y }, (list) => {
      for (const polygon of list) if ((seen < 0 || this.rank[polygon] > this.rank[seen]) && this.#covers(polygon, x, y)) seen = polygon;
    });
    return seen;
  }

  /**
   * @param {number} polygon
   * @param {number} x
   * @param {number} y
   */
  #covers(polygon, x, y) {
    const { places } = this;
    let [left, right] = [false, false];
    for (let corner = this.firsts[polygon]; corner < this.firsts[polygon + 1]; corner++) {
      const [a, b] = [2 * this.corners[corner], 2 * this.corners[this.after(corner)]];
      const side = (places[b] - places[a]) * (y - places[a + 1]) - (places[b + 1] - places[a + 1]) * (x - places[a]);
      if (side > 0) left = true;
      if (side < 0) right = true;
    }
    return !(left && right);
  }

  /**
   * @param {number} y
   * @returns {[number, number]}
   */
  columns(y) {
    return [0, Math.max(0, Math.min(COLUMNS, this.polygons - y * COLUMNS))];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  middle(x, y) {
    const node = y * COLUMNS + x;
    if (node >= this.polygons) {
      const corner = this.portals[node - this.polygons];
      return corner === undefined ? [0, 0] : this.#mean([corner, this.after(corner)]);
    }
    return this.#mean(Array.from({ length: this.firsts[node + 1] - this.firsts[node] }, (_, i) => this.firsts[node] + i));
  }

  /**
   * @param {number[]} corners
   * @returns {Place}
   */
  #mean(corners) {
    let [x, y] = [0, 0];
    for (const corner of corners) x += this.places[2 * this.corners[corner]], y += this.places[2 * this.corners[corner] + 1];
    return [x / corners.length, y / corners.length];
  }

  /**
   * @param {Place} place
   * @returns {Cell}
   */
  at(place) {
    const polygon = this.#polygon(place);
    return polygon < 0 ? [-1, -1] : [polygon % COLUMNS, (polygon / COLUMNS) | 0];
  }

  /**
   * @param {ArrayLike<number>} list
   * @param {number} i
   * @returns {Place}
   */
  point(list, i) {
    return this.body(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  name(x, y) {
    const node = y * COLUMNS + x;
    return node < this.polygons ? `polygon ${node}` : `portal ${node - this.polygons}`;
  }

  range() {
    return { left: 0, top: 0, right: COLUMNS - 1, bottom: this.height - 1 };
  }

  /**
   * Adds a polygon to the path of a canvas.
   * @param {{ moveTo(x: number, y: number): void, lineTo(x: number, y: number): void, closePath(): void }} path
   * @param {number} polygon
   */
  trace(path, polygon) {
    const { corners, places } = this;
    const first = this.firsts[polygon];
    path.moveTo(places[2 * corners[first]], places[2 * corners[first] + 1]);
    for (let corner = first + 1; corner < this.firsts[polygon + 1]; corner++) path.lineTo(places[2 * corners[corner]], places[2 * corners[corner] + 1]);
    path.closePath();
  }

  /**
   * @param {Context} context
   * @param {Area} area
   */
  path(context, [x, y, width, height]) {
    for (let row = y; row < y + height; row++) {
      for (let polygon = row * COLUMNS + x; polygon < Math.min(this.polygons, row * COLUMNS + x + width); polygon++) this.trace(context, polygon);
    }
  }

  /** Lines between polygons are part of the picture. */
  lines() {}

  /**
   * @param {Context} context
   * @param {import("./ground.js").Bitmap[]} layers
   * @param {Sight} sight
   * @param {boolean} isLined
   */
  paint(context, layers, sight, isLined) {
    return this.picture.paint(context, layers, sight, isLined);
  }

  /**
   * Returns the edges between polygons with different labels, as vertices: two for each edge.
   * @param {Uint32Array} labels
   */
  borders(labels) {
    const ends = [];
    for (const corner of this.portals) {
      if (labels[this.polygonByCorner[corner]] !== labels[this.beyond[corner]]) ends.push(this.corners[corner], this.corners[this.after(corner)]);
    }
    return Uint32Array.from(ends);
  }

  /**
   * Adds edges in sight to the path of a canvas.
   * @param {Context} context
   * @param {ArrayLike<number>} ends
   * @param {Sight} sight
   */
  edges(context, ends, { left, top, right, bottom }) {
    const { places } = this;
    for (let i = 0; i + 1 < ends.length; i += 2) {
      const [a, b] = [2 * ends[i], 2 * ends[i + 1]];
      if (Math.max(places[a], places[b]) < left || Math.min(places[a], places[b]) > right) continue;
      if (Math.max(places[a + 1], places[b + 1]) < top || Math.min(places[a + 1], places[b + 1]) > bottom) continue;
      context.moveTo(places[a], places[a + 1]);
      context.lineTo(places[b], places[b + 1]);
    }
  }

  /**
   * Returns the places of a way through polygons over the middles of the portals between them: as a search has it that is
   * not pulled taut yet.
   * @param {ArrayLike<number>} corridor
   * @returns {Place[]}
   */
  through(corridor) {
    /** @type {Place[]} */
    const places = [];
    for (let i = 0; i + 1 < corridor.length; i++) {
      const polygon = corridor[i];
      let portal = -1;
      for (let corner = this.firsts[polygon]; corner < this.firsts[polygon + 1]; corner++) if (this.beyond[corner] === corridor[i + 1]) portal = corner;
      // Polygons of a straight line may meet at a point only.
      if (portal >= 0) places.push(this.#mean([portal, this.after(portal)]));
    }
    return places;
  }

  /**
   * @param {{ straight: number }} steps
   * @param {Cell} from
   * @param {AnySpot} to
   */
  cost({ straight }, [column, row], [, x, y = 0]) {
    const node = row * COLUMNS + column;
    const portal = this.portals[node - this.polygons];
    const corners = node < this.polygons
      ? Array.from({ length: this.firsts[node + 1] - this.firsts[node] }, (_, i) => this.firsts[node] + i)
      : portal === undefined ? [] : [portal, this.after(portal)];
    const mean = (/** @type {number} */ axis) => corners.reduce((sum, corner) => sum + this.vertices[3 * this.corners[corner] + axis], 0) / (corners.length || 1);
    return Math.round(Math.hypot(mean(0) - x, mean(1) - y) * straight);
  }

  /**
   * @param {Cell} from
   * @param {Cell} to
   */
  line(from, to) {
    if (from[0] < 0 || to[0] < 0) return [from, to].filter(([x]) => x >= 0);
    const [[ax, ay], [bx, by]] = [this.middle(...from), this.middle(...to)];
    const steps = Math.max(1, Math.ceil((2 * Math.hypot(bx - ax, by - ay)) / WIDTH));
    const cells = Array.from({ length: steps + 1 }, (_, i) => this.at([ax + ((bx - ax) * i) / steps, ay + ((by - ay) * i) / steps]));
    return [...cells, to].filter(([x, y], i, all) => x >= 0 && (i === 0 || all[i - 1][0] !== x || all[i - 1][1] !== y));
  }

  /**
   * @param {Cell} at
   * @param {number} size
   * @returns {Area[]}
   */
  brush(at, size) {
    if (size === 1) return [[...at, 1, 1]];
    const [x, y] = this.middle(...at), reach = ((size - 1) * WIDTH) / 2;
    /** @type {Set<number>} */
    const touched = new Set([at[1] * COLUMNS + at[0]]);
    this.#eachBucket({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }, (list) => {
      for (const polygon of list) {
        const [px, py] = this.middle(polygon % COLUMNS, (polygon / COLUMNS) | 0);
        if (Math.hypot(px - x, py - y) <= reach) touched.add(polygon);
      }
    });
    return [...touched].map((polygon) => [polygon % COLUMNS, (polygon / COLUMNS) | 0, 1, 1]);
  }

  /** @returns {[number, number]} */
  beside() {
    return [0, 0];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} length
   */
  outline(x, y, length) {
    const round = (/** @type {number} */ value) => Number(value.toFixed(3));
    /** @type {string[]} */
    const words = [];
    const path = { moveTo: (/** @type {number} */ a, /** @type {number} */ b) => words.push(`M${round(a)} ${round(b)}`), lineTo: (/** @type {number} */ a, /** @type {number} */ b) => words.push(`L${round(a)} ${round(b)}`), closePath: () => words.push("z") };
    for (let polygon = y * COLUMNS + x; polygon < y * COLUMNS + x + length; polygon++) this.trace(path, polygon);
    return words.join("");
  }
}
