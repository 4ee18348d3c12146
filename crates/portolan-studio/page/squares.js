// The geometry of squares. A cell covers the places from its column and row to the next ones. Not here: when to draw.

/** @typedef {import("./grid.js").Area} Area */
/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {import("./grid.js").Context} Context */
/** @typedef {import("./grid.js").Grid} Grid */
/** @typedef {import("./grid.js").Place} Place */
/** @typedef {import("./grid.js").Sight} Sight */
/** @typedef {import("./protocol").AnySpot} AnySpot */

/** @implements {Grid} */
export class Squares {
  finest = 9;
  small = 2.5;
  stride = 2;
  unit = 1;

  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.width = this.across = width;
    this.height = this.down = height;
  }

  /** @returns {[number, number]} */
  columns() {
    return [0, this.width];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  middle(x, y) {
    return [x + 0.5, y + 0.5];
  }

  /**
   * @param {Place} place
   * @returns {Cell}
   */
  at([x, y]) {
    return [Math.floor(x), Math.floor(y)];
  }

  /**
   * @param {AnySpot} spot
   * @returns {Place}
   */
  place([x, y]) {
    return this.middle(x, y);
  }

  /**
   * @param {Place} place
   * @returns {AnySpot | null}
   */
  spot(place) {
    return this.at(place);
  }

  /**
   * @param {ArrayLike<number>} list
   * @param {number} i
   * @returns {Place}
   */
  point(list, i) {
    return this.middle(list[2 * i], list[2 * i + 1]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  name(x, y) {
    return `${x},${y}`;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  body(x, y) {
    return [x + 0.5, y + 0.5];
  }

  /** @param {Sight} sight */
  range({ left, top, right, bottom }) {
    return {
      left: Math.max(0, Math.floor(left)), top: Math.max(0, Math.floor(top)),
      right: Math.min(this.width - 1, Math.floor(right)), bottom: Math.min(this.height - 1, Math.floor(bottom)),
    };
  }

  /**
   * @param {Context} context
   * @param {Area} area
   */
  path(context, [x, y, width, height]) {
    context.rect(x, y, width, height);
  }

  /**
   * @param {Context} context
   * @param {Sight} sight
   */
  lines(context, sight) {
    const { left, top, right, bottom } = this.range(sight);
    for (let x = left; x <= right + 1; x++) context.moveTo(x, top), context.lineTo(x, bottom + 1);
    for (let y = top; y <= bottom + 1; y++) context.moveTo(left, y), context.lineTo(right + 1, y);
  }

  /**
   * Draws the parts of bitmaps that are in sight: scaling whole bitmaps would take longer.
   * @param {Context} context
   * @param {import("./ground.js").Bitmap[]} layers
   * @param {Sight} sight
   */
  paint(context, layers, sight) {
    const { left, top, right, bottom } = this.range(sight);
    const [width, height] = [right - left + 1, bottom - top + 1];
    if (width > 0 && height > 0) for (const layer of layers) context.drawImage(layer.fresh(), left, top, width, height, left, top, width, height);
    return false;
  }

  /**
   * @param {{ straight: number, diagonal?: number, directions?: number }} steps
   * @param {Cell} from
   * @param {AnySpot} to
   */
  cost({ straight, diagonal = 0, directions }, [ax, ay], [bx, by]) {
    const dx = Math.abs(ax - bx), dy = Math.abs(ay - by);
    return directions === 4 ? (dx + dy) * straight : Math.min(dx, dy) * diagonal + Math.abs(dx - dy) * straight;
  }

  /**
   * @param {Cell} from
   * @param {Cell} to
   * @param {boolean} isThin
   */
  line([ax, ay], [bx, by], isThin) {
    /** @type {Cell[]} */
    const cells = [];
    const steps = Math.max(Math.abs(bx - ax), Math.abs(by - ay), 1);
    let [x, y] = [ax, ay];
    for (let i = 0; i <= steps; i++) {
      const [nx, ny] = [Math.round(ax + ((bx - ax) * i) / steps), Math.round(ay + ((by - ay) * i) / steps)];
      // A diagonal step of a thin line would leave a gap.
      if (isThin && nx !== x && ny !== y) cells.push([nx, y]);
      [x, y] = [nx, ny];
      cells.push([x, y]);
    }
    return cells;
  }

  /**
   * @param {Cell} at
   * @param {number} size
   * @returns {Area[]}
   */
  brush([x, y], size) {
    const reach = (size - 1) >> 1;
    return [[x - reach, y - reach, size, size]];
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
    return `M${x} ${y}h${length}v1h${-length}z`;
  }
}
