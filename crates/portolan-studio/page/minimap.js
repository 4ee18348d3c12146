// The whole world in a corner, with a frame around what is in sight; a click moves the view there.

import { el } from "./dom.js";
import { palette } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */

const SIDE = 150;

/** @param {Studio} studio */
export function minimap(studio) {
  const canvas = el("canvas", { id: "minimap", "aria-label": "The whole world; click to look there" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  let isAsked = false;
  const draw = () => {
    isAsked = false;
    const { scene, camera, views } = studio;
    const { ground } = scene;
    if (!ground) return;
    const [view] = views;
    // The small map is hidden while the whole world is in sight.
    const [across, down] = [(view.across ?? 0) / camera.scale, (view.down ?? 0) / camera.scale];
    const { grid } = ground;
    canvas.hidden = across >= grid.across && down >= grid.down;
    if (canvas.hidden) return;
    const unit = SIDE / Math.max(grid.across, grid.down);
    const [width, height] = [Math.max(1, Math.round(grid.across * unit)), Math.max(1, Math.round(grid.down * unit))];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.imageSmoothingEnabled = true;
    context.setTransform(unit, 0, 0, unit, 0, 0);
    grid.paint(context, [ground.bitmap], { left: 0, top: 0, right: grid.across, bottom: grid.down }, false);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.strokeStyle = palette().route;
    context.lineWidth = 2;
    context.strokeRect((camera.x - across / 2) * unit, (camera.y - down / 2) * unit, across * unit, down * unit);
    for (const [end, colour] of /** @type {const} */ ([[scene.from, palette().start], [scene.to, palette().goal]])) {
      const [x, y] = grid.place(end);
      context.fillStyle = colour;
      context.fillRect(x * unit - 2.5, y * unit - 2.5, 5, 5);
    }
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(draw);
  };
  studio.camera.watch(ask);
  for (const topic of /** @type {const} */ (["world", "edited", "question", "theme"])) studio.on(topic, ask);
  // What is in sight changes with the size of the pane; the first pane stays as long as the page.
  new ResizeObserver(ask).observe(studio.views[0].element);
  const look = (/** @type {PointerEvent} */ event) => {
    const { ground } = studio.scene;
    if (!ground || event.buttons === 0) return;
    const unit = SIDE / Math.max(ground.grid.across, ground.grid.down);
    const box = canvas.getBoundingClientRect();
    studio.camera.look((event.clientX - box.left) / unit, (event.clientY - box.top) / unit);
  };
  canvas.addEventListener("pointerdown", look);
  canvas.addEventListener("pointermove", look);
  return canvas;
}
