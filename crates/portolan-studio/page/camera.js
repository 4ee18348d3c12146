// The part of the world that the views show: the place in its middle, and how many pixels a cell is wide. Several views may
// share one camera; they then move together. Not here: drawing.

const CLOSEST = 96;

export class Camera {
  /** @type {Set<() => void>} */
  #watchers = new Set();
  x = 0;
  y = 0;
  scale = 8;
  least = 0.1;
  /** Whether the whole world is shown, and is to stay so when the page changes its size. */
  isWhole = true;

  /** @param {() => void} watcher */
  watch(watcher) {
    this.#watchers.add(watcher);
  }

  #moved() {
    for (const watcher of this.#watchers) watcher();
  }

  /**
   * Shows the whole of a world.
   * @param {number} width
   * @param {number} height
   * @param {number} across the size of the view, in pixels
   * @param {number} down
   */
  fit(width, height, across, down) {
    this.width = width;
    this.height = height;
    this.x = width / 2;
    this.y = height / 2;
    this.scale = Math.min((across - 24) / width, (down - 24) / height, 40);
    this.least = Math.min(this.scale, 1) / 4;
    this.isWhole = true;
    this.#moved();
  }

  /**
   * Moves the world in the view by so many pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.look(this.x - dx / this.scale, this.y - dy / this.scale);
  }

  /**
   * Moves the middle of the view to a place, or to the edge of the world if the place lies outside.
   * @param {number} x
   * @param {number} y
   */
  look(x, y) {
    this.x = Math.max(0, Math.min(this.width ?? 0, x));
    this.y = Math.max(0, Math.min(this.height ?? 0, y));
    this.isWhole = false;
    this.#moved();
  }

  /**
   * Zooms in by a factor. The place that is so many pixels from the middle of the view stays where it is.
   * @param {number} factor
   * @param {number} dx
   * @param {number} dy
   */
  zoom(factor, dx = 0, dy = 0) {
    const scale = Math.max(this.least, Math.min(CLOSEST, this.scale * factor));
    const [x, y] = [this.x + dx / this.scale, this.y + dy / this.scale];
    this.scale = scale;
    this.look(x - dx / scale, y - dy / scale);
  }
}
