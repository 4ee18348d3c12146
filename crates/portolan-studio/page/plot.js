// A small plot of curves over ticks, as SVG. Not here: what is plotted.

import { el } from "./dom.js";
import { series } from "./palette.js";

const WIDTH = 300;
const HEIGHT = 140;
const MARGIN = { left: 44, right: 8, top: 8, bottom: 20 };

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {number} value */
const short = (value) => (value >= 1e6 ? `${(value / 1e6).toPrecision(2)}M` : value >= 1e3 ? `${(value / 1e3).toPrecision(2)}k` : String(Math.round(value)));

/**
 * Makes a plot of curves with their names; each is a list of values, one for each tick.
 * @param {string} title
 * @param {{ name: string, values: number[] }[]} curves
 */
export function plot(title, curves) {
  const ticks = Math.max(1, ...curves.map(({ values }) => values.length - 1));
  const most = Math.max(1, ...curves.map(({ values }) => values.at(-1) ?? 0));
  const x = (/** @type {number} */ tick) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * tick) / ticks;
  const y = (/** @type {number} */ value) => HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * value) / most;
  const colours = series();
  const shapes = [0, 0.5, 1].map((share) => svg("g", { class: "rule" },
    svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(most * share), y2: y(most * share) }),
    svg("text", { x: MARGIN.left - 4, y: y(most * share) + 4, "text-anchor": "end" }, short(most * share))));
  shapes.push(svg("text", { x: WIDTH - MARGIN.right, y: HEIGHT - 5, "text-anchor": "end" }, `tick ${ticks}`));
  curves.forEach(({ values }, i) => {
    const step = Math.max(1, Math.floor(values.length / WIDTH));
    const points = values.map((value, tick) => [tick, value]).filter(([tick]) => tick % step === 0 || tick === values.length - 1);
    const way = points.map(([tick, value], n) => `${n === 0 ? "M" : "L"}${x(tick).toFixed(1)},${y(value).toFixed(1)}`).join("");
    // Dashes distinguish the curves where colours are hard to tell apart.
    shapes.push(svg("path", { d: way, fill: "none", stroke: colours[i], "stroke-width": 2, "stroke-dasharray": ["", "6 3", "2 3"][i] }));
  });
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "plot" }, ...shapes);
  return el("figure", {}, el("figcaption", {}, title), picture);
}
