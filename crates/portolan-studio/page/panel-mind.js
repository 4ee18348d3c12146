// The panel in which minds are set and sent off, compared with A* that knows everything, and watched tick by tick.

import { controls } from "./controls.js";
import { button, count, el, labelled, select, size, table } from "./dom.js";
import { icon } from "./icons.js";
import { crew } from "./palette.js";
import { pace } from "./panel-walk.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./mind.js").Minds} Minds */
/** @typedef {import("./protocol").MindTold} MindTold */

/** The minds that are set first: one that knows nothing and one that knows much. */
const FIRST = [{ knowledge: "0" }, { knowledge: "75" }];
/** The settings that are seen at once, with the letters that the thesis gives them. */
const LETTERS = /** @type {Record<string, string>} */ ({ knowledge: "P", delta: "δ", stretch: "C", most: "C max", fade: "fading" });
/** Most ticks of the slider for fading. */
const LONGEST_FADE = 1000;
/** How a mind chose its steps, in the order of `steps`. */
const MODES = ["Exploring", "Walking back", "Following", "Sees goal"];

/** @param {MindTold} mind */
const steps = (mind) => mind.steps.reduce((sum, some) => sum + some, 0);

/**
 * Returns how much longer a walk is than the shortest, in words.
 * @param {MindTold} mind
 */
const ratio = (mind) => (mind.least ? (steps(mind) / mind.least).toFixed(2) : mind.least === 0 ? "1.00" : "no way");

/**
 * @param {Studio} studio
 * @param {Minds} minds
 */
export function mindPanel(studio, minds) {
  const cards = chooser(studio);
  const seed = el("input", { type: "number", id: "mind-seed", min: "0", step: "1", value: "1" });
  const layout = select([["apart", "side by side"], ["together", "over one another"]], "apart", (value) => {
    if (!minds.shown) return;
    minds.shown.asked.isTogether = value === "together";
    minds.arrange();
  }, { id: "mind-layout" });
  const begin = async () => {
    if (!Number.isSafeInteger(seed.valueAsNumber) || seed.valueAsNumber < 0) return studio.say("A seed is a whole number, 0 or more.", true);
    if (await minds.start({ minds: cards.chosen(), seed: seed.valueAsNumber, isTogether: layout.value === "together" })) minds.run();
  };
  const go = button("Set off", () => (minds.isOn && !minds.isDone ? minds.toggle() : void begin()), { id: "mind", class: "main", title: "Send the minds off, or pause (Space)" });
  const scrub = el("input", { type: "range", id: "mind-scrub", min: "0", max: "0", step: "1", value: "0", "aria-label": "Tick that is shown", oninput: () => minds.seek(Number(scrub.value)) });
  const bar = el("div", { class: "buttons", role: "group", "aria-label": "Playback of the minds" },
    go,
    button(icon("first"), () => minds.seek(0), { id: "mind-first", title: "To the start", "aria-label": "To the start" }),
    button(icon("back"), () => minds.seek(minds.now - 1), { id: "mind-back", title: "One tick back (,)", "aria-label": "One tick back" }),
    button(icon("step"), () => void minds.step(), { id: "mind-step", title: "One tick on (.)", "aria-label": "One tick on" }),
    button("End", () => void minds.end(), { id: "mind-end" }));
  const moment = el("output", { id: "mind-moment", class: "faint" });
  const chosen = el("div", {});
  const shown = el("div", { id: "mind-table" });

  /** The minds that the lists and the cards show. @type {import("./mind.js").Asked | null} */
  let known = null;
  const lay = () => {
    const asked = minds.shown?.asked ?? null;
    if (asked === known) return;
    known = asked;
    chosen.replaceChildren();
    if (!asked) return;
    cards.choose(asked.minds);
    seed.value = String(asked.seed);
    chosen.append(labelled("Shades of", select(asked.minds.map((_, i) => /** @type {[string, string]} */ ([String(i), `mind ${i + 1}`])), "0", (value) => {
      if (minds.shown) minds.shown.chosen = Number(value);
      studio.draw();
    }, { id: "mind-chosen" })));
  };
  const show = () => {
    lay();
    const now = minds.shown;
    go.textContent = now && !minds.isDone ? (minds.isRunning ? "Pause" : "Go on") : "Set off";
    chosen.hidden = !now?.asked.isTogether;
    if (now) layout.value = now.asked.isTogether ? "together" : "apart";
    bar.classList.toggle("idle", !now);
    scrub.disabled = !now;
    if (!now) {
      scrub.max = scrub.value = "0";
      moment.textContent = "";
      return shown.replaceChildren();
    }
    const { head, tapes } = now;
    scrub.max = String(head.tick);
    scrub.value = String(minds.now);
    moment.textContent = `Tick ${count(minds.now)} of ${count(head.tick)} · known hexagons: ${tapes.map(({ known: some }) => count(some)).join(", ")} of ${count(head.hexagons)}`;
    const grid = table([
      ["", ...head.minds.map((_, i) => `Mind ${i + 1}`)],
      ["State", ...head.minds.map(({ state }) => state)],
      ["Steps", ...head.minds.map((mind) => count(steps(mind)))],
      ["A*", ...head.minds.map(({ least }) => (least === null ? "–" : count(least)))],
      ["Ratio to A*", ...head.minds.map(ratio)],
      ...MODES.map((name, mode) => [name, ...head.minds.map((mind) => count(mind.steps[mode]))]),
      ["Memory", ...head.minds.map(({ bytes }) => size(bytes))],
    ]);
    grid.querySelectorAll("th").forEach((cell, i) => i > 0 && cell.style.setProperty("--mark", crew()[i - 1]));
    Object.assign(grid.dataset, { tick: String(head.tick), done: String(head.done), states: head.minds.map(({ state }) => state).join() });
    shown.replaceChildren(grid);
    for (const [i, view] of studio.views.entries()) {
      view.caption.textContent = now.asked.isTogether || i >= head.minds.length ? "" : `Mind ${i + 1}: ${cards.named(now.asked.minds[i])} · ${ratio(head.minds[i])} × A*`;
    }
  };
  minds.watch(show);
  studio.on("theme", show);
  studio.on("ready", () => cards.show());
  show();
  return el("div", {},
    el("p", { class: "faint" }, "Agents explore what they do not know and remember where they walked, on hexagons: the stronger the shade, the better a hexagon is known. Dashed is A*, which knows everything. Draw walls in their way: they learn of them when they see them. Drag the goal to send them on."),
    bar, scrub, moment, pace(minds, "mind-pace"),
    labelled("Minds are", layout), chosen, shown,
    cards.element, labelled("Seed", seed),
    el("p", { class: "faint" }, "How well do people see what agents know? ", el("a", { href: "perception", target: "_blank", id: "perception-link" }, "Take part in the perceptual test.")));
}

/**
 * Makes the cards in which minds are set.
 * @param {Studio} studio
 */
function chooser(studio) {
  /** What is set of each mind. @type {Record<string, string>[]} */
  let all = FIRST.map((one) => ({ ...one }));
  const list = el("div", {});
  // Memories that last longer than a long walk need no slider.
  const params = () => (studio.catalogue?.mind_params ?? []).map((param) => (param.name === "fade" && param.range.kind === "count" ? { ...param, range: { ...param.range, most: LONGEST_FADE } } : param));
  const isSet = (/** @type {string} */ name, /** @type {string} */ value) => {
    const usual = params().find((param) => param.name === name)?.default ?? value;
    return Number.isNaN(Number(value)) ? usual !== value : Number(usual) !== Number(value);
  };
  const named = (/** @type {Record<string, string>} */ settings) => {
    const words = Object.entries(settings).filter(([name, value]) => isSet(name, value)).map(([name, value]) => `${LETTERS[name] ?? name} ${value}`);
    return words.join(", ") || "P 0";
  };
  const add = button("Another mind", () => {
    all.push({ ...all.at(-1) });
    show();
  }, { id: "mind-add" });

  /**
   * @param {Record<string, string>} settings
   * @param {number} number
   */
  const card = (settings, number) => {
    const name = el("summary", {}, `Mind ${number + 1}: ${named(settings)}`);
    const act = (/** @type {string} */ param, /** @type {string} */ value) => {
      settings[param] = value;
      name.textContent = `Mind ${number + 1}: ${named(settings)}`;
    };
    const [first, others] = [params().filter((param) => param.name in LETTERS), params().filter((param) => !(param.name in LETTERS))];
    const rows = (/** @type {import("./protocol").Param[]} */ some) => controls(some, settings, act);
    const lettered = rows(first);
    lettered.forEach((row, i) => (/** @type {HTMLElement} */ (row.querySelector("label")).textContent = `${first[i].name}${first[i].name === "fade" ? "" : `, ${LETTERS[first[i].name]}`}`));
    const element = el("details", { class: "mind", open: all.length <= 2 && number === 0, "data-mind": String(number) }, name,
      ...lettered, el("details", {}, el("summary", {}, "More"), ...rows(others)),
      all.length > 1 && el("div", { class: "buttons" }, button("Leave it out", () => {
        all.splice(number, 1);
        show();
      }, { "data-leave-out": String(number) })));
    element.style.setProperty("--mark", crew()[number]);
    return element;
  };
  const show = () => {
    list.replaceChildren(...all.map(card));
    add.disabled = all.length >= (studio.catalogue?.limits.minds ?? 1);
  };
  studio.on("theme", show);
  const choose = (/** @type {Record<string, string>[]} */ minds) => {
    if (JSON.stringify(minds) === JSON.stringify(chosen())) return;
    all = minds.map((one) => ({ ...one }));
    show();
  };
  const chosen = () => all.map((settings) => Object.fromEntries(Object.entries(settings).filter(([name, value]) => isSet(name, value))));
  return { element: el("div", { id: "mind-cards" }, list, el("div", { class: "buttons" }, add)), chosen, choose, named, show };
}
