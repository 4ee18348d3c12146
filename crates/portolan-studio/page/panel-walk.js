// The panel that sends an agent along the route, plays the test cases, and records new ones.

import { button, download, el, labelled, select, table, time } from "./dom.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * Makes the slider for ticks a second, which the panels for walks, races and games all have.
 * @param {{ speed: number }} walk
 * @param {string} id
 */
export function pace(walk, id) {
  const slider = el("input", { type: "range", min: "0", max: "100", id, value: String((100 * Math.log(walk.speed)) / Math.log(500)) });
  slider.addEventListener("input", () => (walk.speed = 500 ** (Number(slider.value) / 100)));
  return labelled("Ticks a second", slider);
}

/**
 * @param {Studio} studio
 * @param {Walk} walk
 */
export function walkPanel(studio, walk) {
  /** @type {"touched" | "any"} */
  let replan = "touched";
  const cases = el("div", { id: "cases" });
  const state = el("div", { id: "walk-state", "aria-live": "polite" });
  const log = el("ol", { id: "log", tabIndex: 0, "aria-label": "What happened" });
  const go = button("Walk", async () => {
    if (walk.isOn && walk.panes.length === 1 && !walk.isDone) return walk.toggle();
    if (await walk.start([studio.entrant], { replan, isCase: false })) walk.run();
  }, { id: "walk", class: "main", title: "Send an agent off, or pause (Space)" });
  const thinks = select([["touched", "when its way is touched"], ["any", "after any edit"]], replan, (value) => (replan = /** @type {any} */ (value)), { id: "replan" });

  const play = async (/** @type {string} */ name) => {
    const world = await studio.open({ kind: "case", name });
    if (world?.case) await playCase(world.case);
  };
  const playCase = async (/** @type {import("./protocol").CaseInfo} */ { replan: how, with: own }) => {
    replan = how;
    thinks.value = how;
    if (own) studio.settings[own.algorithm] = own.settings;
    if (own) studio.choose(own.algorithm);
    else if ("needs" in (studio.world?.promises[studio.algorithm] ?? {})) {
      studio.say(`${studio.algorithm} does not suit this world; an algorithm that does is taken.`);
      studio.choose("auto");
    }
    if (await walk.start([studio.entrant], { replan, isCase: true })) walk.run();
  };
  const playOpen = button("Play this case", () => studio.world?.case && void playCase(studio.world.case), { id: "play-open-case" });
  studio.on("world", () => (playOpen.hidden = studio.world?.ref.kind !== "file" || !studio.world.case));
  playOpen.hidden = true;
  studio.on("ready", () => {
    cases.replaceChildren(...(studio.catalogue?.cases ?? []).map(({ name, about }) =>
      el("div", { class: "case" }, button(name, () => void play(name), { "data-case": name }), el("span", {}, about))));
  });

  const show = () => {
    const [pane] = walk.panes;
    go.textContent = walk.isOn && walk.panes.length === 1 && !walk.isDone ? (walk.isRunning ? "Pause" : "Go on") : "Walk";
    if (!pane || walk.panes.length > 1) {
      state.replaceChildren();
      log.replaceChildren();
      return;
    }
    const shown = table([
      ["Tick", String(walk.tick)],
      ["State", pane.why ? `${pane.state}: ${pane.why}` : pane.state],
      ["Walked", pane.work.walked.toFixed(2)],
      ["Steps left", String(pane.left)],
      ["Latest repair", time(pane.repair_us)],
      ["Latest search", time(pane.find_us)],
      ["Searches", String(pane.work.searches)],
    ]);
    Object.assign(shown.dataset, { state: pane.state, tick: String(walk.tick), searches: String(pane.work.searches) });
    state.replaceChildren(shown);
    log.replaceChildren(...walk.log.map(({ tick, text, kind }) => el("li", { class: kind }, el("b", {}, String(tick)), ` ${text}`)));
    log.scrollTop = log.scrollHeight;
  };
  walk.watch(show);
  show();

  const about = el("input", { type: "text", id: "record-about", value: "Recorded in the studio", maxLength: 200 });
  const record = async () => {
    const answer = await studio.request({ do: "record", about: about.value });
    if (answer) download(answer.head.name, /** @type {Uint8Array<ArrayBuffer>} */ (answer.parts.bytes), "text/plain");
  };
  return el("div", {},
    el("p", { class: "faint" }, "The agent walks the route. Draw walls in its way: the chart is repaired, the agent thinks again, and both are timed."),
    el("div", { class: "buttons" }, go,
      button("Step", () => void walk.step(), { id: "walk-step", title: "One tick" }),
      button("End", () => void walk.end(), { id: "walk-end" }),
      playOpen),
    pace(walk, "pace"), labelled("Thinks again", thinks),
    state, log, el("h3", {}, "Test cases"), cases,
    el("h3", {}, "Record a case"),
    el("p", { class: "faint" }, "The world as it was when the agent set off, and every edit since with its tick: a file to play again."),
    labelled("It shows", about), el("div", { class: "buttons" }, button("Save as case", () => void record(), { id: "record" })));
}
