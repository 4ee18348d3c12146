// The panel that asks for a route and shows the result.

import { controls } from "./controls.js";
import { button, count, el, labelled, select, size, table, tick, time } from "./dom.js";
import { tones, viridis } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */

/** @param {Studio} studio */
export function searchPanel(studio) {
  const list = el("div", {});
  const about = el("div", { class: "about", id: "algorithm-about" });
  const params = el("div", { id: "params" });
  const answer = el("div", { id: "answer", "aria-live": "polite" });
  const legend = el("div", { id: "legend" });
  const near = tick("Go as near as possible where the goal cannot be reached", studio.nearest, (is) => {
    studio.nearest = is;
    if (studio.found) void studio.ask();
  }, { id: "nearest" });
  const nearest = /** @type {HTMLInputElement} */ (near.firstElementChild);

  const showList = () => {
    const names = studio.algorithms;
    const unsuited = (/** @type {string} */ name) => "needs" in (studio.world?.promises[name] ?? {});
    list.replaceChildren(labelled("Algorithm", select(names.map(({ name, title }) => [name, unsuited(name) ? `${title} (not here)` : title]), studio.algorithm, (name) => studio.choose(name), { id: "algorithm" })));
  };
  const showQuestion = () => {
    const algorithm = studio.algorithms.find(({ name }) => name === studio.algorithm);
    if (!algorithm) return;
    const select = /** @type {HTMLSelectElement | null} */ (list.querySelector("select"));
    if (select) select.value = algorithm.name;
    const promise = studio.world?.promises[algorithm.name];
    about.replaceChildren(algorithm.summary, el("div", { class: "faint" }, algorithm.paper),
      promise ? el("div", {}, "promise" in promise ? `Promises ${promise.promise}.` : el("span", { class: "bad" }, `Needs ${promise.needs}.`)) : "");
    nearest.checked = studio.nearest;
    // The sliders are made anew only if an address or a case has set other values, so that a slider under the pointer
    // stays.
    const { settings } = studio.entrant;
    const shown = (/** @type {Record<string, string>} */ values) => JSON.stringify([algorithm.name, algorithm.params.map(({ name }) => name), values]);
    if (params.dataset.shown !== shown(settings)) {
      params.dataset.shown = shown(settings);
      params.replaceChildren(...controls(algorithm.params, settings, (name, value) => {
        params.dataset.shown = shown({ ...studio.settings[algorithm.name], [name]: value });
        studio.choose(algorithm.name, name, value);
      }));
    }
  };
  studio.on("ready", () => (showList(), showQuestion()));
  studio.on("world", () => (showList(), showQuestion()));
  studio.on("question", showQuestion);
  studio.on("found", () => answer.replaceChildren(...results(studio)));
  studio.on("edited", () => answer.replaceChildren(...results(studio)));

  const showLegend = () => {
    const { shade } = studio;
    const swatch = (/** @type {string} */ colour, /** @type {string} */ text) => {
      const box = el("span", { class: "swatch" });
      box.style.background = colour;
      return el("span", { class: "key" }, box, text);
    };
    const { open, closed, reopened, closedAgain } = tones();
    legend.replaceChildren(...(shade === "states"
      ? [swatch(open, "open"), swatch(closed, "closed"), swatch(reopened, "re-opened"), swatch(closedAgain, "closed again")]
      : [0, 0.25, 0.5, 0.75, 1].map((share) => swatch(`rgb(${viridis(share).join(" ")})`, share === 0 ? "low" : share === 1 ? "high" : ""))));
  };
  const shades = select([["states", "what was done"], ["g", "g: cost from the start"], ["h", "h: least cost to the goal"], ["f", "f: g + h"], ["order", "order of visits"]], "states", (shade) => {
    studio.setShade(/** @type {any} */ (shade));
    showLegend();
  }, { id: "shade" });
  showLegend();
  studio.on("theme", showLegend);

  const { show } = studio.scene;
  const toggles = el("div", { class: "ticks", id: "toggles" },
    ...(/** @type {const} */ (["route", "states", "tree", "grid"])).map((what) => tick({ route: "Route (g)", states: "States (s)", tree: "Search tree (t)", grid: "Grid" }[what], show[what], (is) => {
      show[what] = is;
      studio.draw();
    }, { id: `show-${what}` })));
  const forMeshes = el("div", { class: "ticks", id: "mesh-toggles", hidden: true },
    tick("Before the funnel", show.corridor, (is) => {
      show.corridor = is;
      studio.draw();
    }, { id: "show-corridor", title: "The polygons that the route passes, and the way over the middles of their portals" }),
    tick("At an angle", false, (is) => studio.tilt(is), { id: "tilt", title: "See heights" }));
  studio.on("world", () => {
    forMeshes.hidden = !studio.world?.mesh;
    /** @type {HTMLInputElement} */ (forMeshes.querySelector("#tilt")).checked = false;
  });
  return el("div", {},
    list, about, params, near,
    el("div", { class: "buttons" },
      button("Run", () => void studio.ask(true), { id: "run", class: "main", title: "Search and watch (Enter)" }),
      button("Cancel", () => studio.link.cancel(), { id: "cancel", title: "Give the search up" })),
    answer, el("h3", {}, "Shown"), toggles, forMeshes, labelled("Colours", shades), legend);
}

/** @param {Studio} studio */
function results({ found, latestEdit }) {
  if (!found) return [];
  const { stats } = found;
  const over = found.length !== null && found.optimum ? (found.length / found.optimum - 1) * 100 : null;
  const percent = over === null ? "–" : over < 0.0005 ? "optimal" : `${over.toFixed(2)} % over`;
  /** @type {(string | Node)[][]} */
  const rows = [
    ["", found.algorithm],
    ["Outcome", found.outcome],
    ["Length", found.length === null ? "–" : found.length.toFixed(2)],
    ["Against the optimum", percent],
    ["Expanded", count(stats.expanded)],
    ["Pushed / popped", `${count(stats.pushes)} / ${count(stats.pops)}`],
    ["Re-opened", count(stats.reopened)],
    ["Open list, mean / most", `${count(Math.round(stats.open_mean))} / ${count(stats.open_max)}`],
    ["Query", time(found.find_us)],
    ["Build", `${time(found.build_us)}${found.built ? "" : ", before"}`],
    ["Memory", size(found.bytes)],
  ];
  if (latestEdit) {
    const { repair, roundTrip } = latestEdit;
    if (repair) rows.push([repair.rebuilt ? "Built anew after the edit" : "Repair after the edit", `${time(repair.us)}${repair.clusters > 0 ? `, ${repair.clusters} clusters` : ""}`]);
    rows.push(["Edit to answer", `${roundTrip.toFixed(1)} ms`]);
  }
  const shown = table(rows, { id: "results" });
  for (const [name, value] of Object.entries({ outcome: found.outcome, length: found.length, expanded: stats.expanded, pushes: stats.pushes, pops: stats.pops, algorithm: found.algorithm })) shown.dataset[name] = String(value);
  return [
    shown,
    found.why ? el("p", { class: "faint" }, `Chosen because ${found.why}`) : "",
    found.cut ? el("p", { class: "faint" }, "The search went on longer than is shown: its trace was cut off.") : "",
  ];
}
