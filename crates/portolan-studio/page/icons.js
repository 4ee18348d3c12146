// The icons on buttons, drawn here so that they look alike whatever fonts a machine has.

/** The outline of each icon, on a square with sides of 24. */
const WAYS = {
  hand: "M8 13V5.5a1.5 1.5 0 0 1 3 0V11m0-.5v-6a1.5 1.5 0 0 1 3 0V11m0-5a1.5 1.5 0 0 1 3 0v6m0-3.5a1.5 1.5 0 0 1 3 0V15c0 4-3 6-6 6-4 0-5.5-2-7-4.5L4.5 13c-1-1.7 1.3-2.7 2.2-1.5L8 13",
  brush: "M4 20c2 0 4-1 4-3a2 2 0 0 1 2-2 2 2 0 0 1 2 2c0 3-4 4-8 3M11 14 19 4c1-1 3 .5 2 2l-8 9.5",
  line: "M5 19 19 5M4 20h2v-2H4zM18 6h2V4h-2z",
  rectangle: "M4 6h16v12H4z",
  fill: "m5 12 7-7 7 7-7 7zM9 8 6 4M20 15c1.5 2 1.5 4 0 4s-1.5-2 0-4",
  tree: "M12 21v-9m0 4-4-4m4 0 4-4m-4 1V5m-4 7V9m8-1V5",
  border: "M12 3v18M6 7v10M18 7v10",
  link: "M4 18a2 2 0 1 0 4 0 2 2 0 0 0-4 0M7 16C9 9 13 7 17 7m-3-3 4 3-3 4",
  undo: "M9 7 5 11l4 4M5 11h9a5 5 0 0 1 0 10h-3",
  redo: "m15 7 4 4-4 4M19 11h-9a5 5 0 0 0 0 10h3",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  first: "M6 5v14M18 6v12l-9-6z",
  last: "M18 5v14M6 6v12l9-6z",
  back: "M17 6v12l-9-6zM6 12h.01",
  step: "M7 6v12l9-6zM18 12h.01",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
};

/** @typedef {keyof typeof WAYS} Icon */

const FILLED = new Set(["play", "first", "last", "back", "step", "theme"]);

/**
 * @param {Icon} name
 */
export function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", FILLED.has(name) ? "icon filled" : "icon");
  picture.setAttribute("aria-hidden", "true");
  const way = document.createElementNS("http://www.w3.org/2000/svg", "path");
  way.setAttribute("d", WAYS[name]);
  picture.append(way);
  return picture;
}
