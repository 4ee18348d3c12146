// The panel that sends a crowd off and counts what its agents do.

import { button, count, el, labelled, time } from "./dom.js";
import { doings } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */

/**
 * @param {Studio} studio
 * @param {import("./crowd.js").Crowd} crowd
 */
export function crowdPanel(studio, crowd) {
  const number = (/** @type {string} */ id, /** @type {number} */ least, /** @type {number} */ most, /** @type {number} */ value, step = 1) =>
    el("input", { type: "number", id, min: String(least), max: String(most), step: step === 1 ? "1" : "any", value: String(value) });
  const agents = number("crowd-agents", 1, studio.catalogue?.limits.crowd ?? 5000, 200);
  const radius = number("crowd-radius", 0.01, 100, 0.3, 0.05);
  const speed = number("crowd-speed", 0.01, 4000, 2, 0.1);
  const seed = number("crowd-seed", 0, 1e9, 1);
  const whole = el("input", { type: "checkbox", id: "crowd-whole" });
  const limit = () => {
    const limits = studio.catalogue?.limits;
    agents.max = String((whole.checked ? limits?.whole_crowd : limits?.crowd) ?? 5000);
  };
  whole.addEventListener("change", limit);
  const pace = el("input", { type: "range", id: "crowd-pace", min: "0", max: "100", value: "50" });
  pace.addEventListener("input", () => (crowd.pace = 8 ** ((Number(pace.value) - 50) / 50)));
  const state = el("div", { id: "crowd-state" });
  const go = button("Set off", async () => {
    if (crowd.isOn && !isOver()) return crowd.toggle();
    const asked = { agents: agents.valueAsNumber || 1, radius: radius.valueAsNumber || 0.3, speed: speed.valueAsNumber || 1, seed: seed.valueAsNumber || 0, whole: whole.checked };
    if (await crowd.start(asked)) crowd.run();
  }, { id: "crowd", class: "main", title: "Send a crowd off, or pause it (Space)" });
  const isOver = () => crowd.head?.states.every(({ name, count: some }) => some === 0 || !["walking", "waiting", "blocked", "squeezing", "stuck"].includes(name)) ?? true;

  const unit = el("p", { class: "faint" });
  studio.on("world", () => {
    const mesh = studio.world?.mesh;
    unit.textContent = mesh ? "Radius and speed are in the units of the mesh, the speed for a second." : "Radius and speed are in cells, the speed for a second; a radius is below half a cell.";
    // Where nothing says how large agents are, they are small enough for the polygons.
    const width = 4 / (studio.scene.ground?.grid.unit ?? 1);
    const body = !mesh ? 0.3 : mesh.agent && mesh.agent.radius > 0 ? mesh.agent.radius / 2 : width / 16;
    radius.value = String(Number(body.toPrecision(2)));
    speed.value = String(Number(((body * 20) / 3).toPrecision(2)));
  });
  studio.on("ready", limit);

  const show = () => {
    const { head } = crowd;
    go.textContent = crowd.isOn && !isOver() ? (crowd.isRunning ? "Pause" : "Go on") : "Set off";
    if (!head) return state.replaceChildren();
    const colours = doings();
    const rows = head.states.map(({ name, why, count: some }, i) => {
      const box = el("span", { class: "swatch" });
      box.style.background = colours[i];
      return some > 0 || i < 6 ? el("div", { class: "doing", "data-doing": name, "data-count": String(some) }, box, el("b", {}, count(some)), ` ${name}`, el("span", { class: "faint" }, why)) : "";
    });
    state.replaceChildren(
      el("p", {}, `${(head.tick / head.per_second).toFixed(1)} s, tick ${count(head.tick)}; ${crowd.rate.toFixed(0)} ticks a second${head.tick_us > 0 ? `, each ${time(head.tick_us)} of work` : ""}.${head.device === null ? "" : ` Computed on ${head.device}.`}`),
      ...rows);
    Object.assign(state.dataset, { tick: String(head.tick) });
  };
  crowd.watch(show);
  studio.on("theme", show);
  show();
  return el("div", {},
    el("p", { class: "faint" }, "Agents with random starts and goals walk at once, keep off walls and avoid each other. Their routes are those of the algorithm in the panel Search. Point at an agent to read why it stands."),
    labelled("Agents", agents), labelled("Radius", radius), labelled("Speed", speed), labelled("Seed", seed), unit,
    labelled("Whole numbers", whole, "Agents walk in whole numbers, on a graphics processor if the server has one: in the same way everywhere, and there may be more of them"),
    el("div", { class: "buttons" }, go,
      button("Tick", () => void crowd.step(), { id: "crowd-step", title: "One tick (.)" }),
      button("End", () => void crowd.end(), { id: "crowd-end" })),
    labelled("Pace", pace, "From an eighth of the agents' own time to eight times as fast"),
    state);
}
