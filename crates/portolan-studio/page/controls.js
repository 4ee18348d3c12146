// Controls made from the registry: each parameter of an algorithm or a recipe becomes a slider, a field or a list. Not
// here: what is done with the values.

import { el, labelled, select } from "./dom.js";

/** @typedef {import("./protocol").Param} Param */

/** Ranges up to this wide get a slider besides the field. */
const SLIDER = 1000;

/**
 * Makes a row for each parameter; `act` is called with each change.
 * @param {Param[]} params
 * @param {Record<string, string>} values
 * @param {(name: string, value: string) => void} act
 */
export function controls(params, values, act) {
  return params.map((param) => labelled(param.name, control(param, values[param.name] ?? param.default, (value) => act(param.name, value)), param.help));
}

/**
 * @param {Param} param
 * @param {string} value
 * @param {(value: string) => void} act
 * @returns {HTMLElement}
 */
function control({ name, default: standard, range }, value, act) {
  if (range.kind === "choice") return select(range.words, value, act, { "data-param": name });
  const { kind, least, most } = range;
  const step = kind === "count" ? 1 : Math.max((most - least) / 200, 0.001);
  const field = el("input", { type: "number", min: String(least), max: String(most), step: kind === "count" ? "1" : "any", value, "data-param": name, "aria-label": name });
  const isRight = () => field.value !== "" && field.checkValidity();
  if (most - least > SLIDER) {
    field.addEventListener("change", () => (isRight() ? act(field.value) : (field.value = value)));
    return field;
  }
  const slider = el("input", { type: "range", min: String(least), max: String(most), step: String(step), value, "aria-label": `${name}, default ${standard}` });
  slider.addEventListener("input", () => (field.value = kind === "count" ? slider.value : String(Number(Number(slider.value).toFixed(3)))));
  slider.addEventListener("change", () => act(field.value));
  field.addEventListener("change", () => {
    if (!isRight()) field.value = slider.value;
    slider.value = field.value;
    act(field.value);
  });
  const id = `p-${name}-${++labelled.count}`;
  field.id = id;
  return Object.assign(el("span", { class: "pair" }, slider, field), { id: `${id}-pair` });
}
