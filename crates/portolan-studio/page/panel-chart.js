// The panel of hierarchies: what of a chart is shown, level by level; the abstract route and its legs; memory.

import { button, count, el, labelled, size, table, tick, time } from "./dom.js";

/** @typedef {import("./studio.js").Studio} Studio */

/** @param {Studio} studio */
export function chartPanel(studio) {
  const body = el("div", {});
  const legs = el("div", {});
  /** Whether the chart is fetched again whenever the planner changes. */
  let isShown = false;
  const { chart } = studio;

  const show = () => {
    const { found } = studio;
    if (!found) return body.replaceChildren(el("p", { class: "faint" }, "Run a search with a chart first: HPA*, DHPA*, SHPA*, the rhumb chart, or the jump graph."));
    const boxes = Array.from({ length: isShown ? chart.levels : 0 }, (_, level) => {
      const shown = chart.shown[level];
      const layer = chart.layers[level];
      const names = /** @type {const} */ (["regions", "ports", "crossings", "ways"]);
      const counts = { regions: null, ports: layer?.ports.length / 2, crossings: layer?.crossings.length / 4, ways: layer?.ways.length / 4 };
      const texts = { regions: "clusters", ports: "nodes", crossings: "entrances", ways: "edges" };
      return el("fieldset", { "data-level": String(level) }, el("legend", {}, `Level ${level + 1}`),
        ...names.filter((name) => name === "regions" || counts[name]).map((name) =>
          tick(`${texts[name]}${counts[name] ? ` (${count(counts[name] ?? 0)})` : ""}`, shown[name], (is) => {
            shown[name] = is;
            studio.draw();
          })));
    });
    const isMesh = Boolean(studio.world?.mesh);
    const slider = el("input", { type: "range", id: "level", min: "0", max: String(chart.layers.length), step: "1", value: String(chart.level) });
    const shownLevel = el("output", { id: "level-about" });
    const tellLevel = () => (shownLevel.textContent = chart.level === 0 ? "none" : `${chart.level} of ${chart.layers.length}: ${count(found.census[chart.level - 1]?.clusters ?? 0)} nodes`);
    slider.addEventListener("input", () => {
      chart.level = Number(slider.value);
      tellLevel();
      studio.draw();
    });
    tellLevel();
    const levels = isMesh && isShown && chart.layers.length > 0 ? [labelled("Level", slider, "Of which level the nodes are shown"), el("p", { class: "faint" }, shownLevel)] : [];
    const census = found.census.length > 0 ? table([["Level", "Clusters", "Nodes", "Edges between", "Edges within"],
      ...found.census.map((level, i) => [String(i + 1), ...[level.clusters, level.nodes, level.inter_edges, level.intra_edges].map(count)])], { id: "census" }) : "";
    body.replaceChildren(
      el("p", {}, `${found.algorithm} keeps ${size(found.bytes)} of this world.`),
      tick("Show what it keeps", isShown, (is) => {
        isShown = is;
        if (is) void studio.outline();
        else chart.clear(), studio.draw(), show();
      }, { id: "show-chart" }),
      ...(isMesh ? levels : boxes),
      isShown && chart.layers.length === 0 ? el("p", { class: "faint" }, "This algorithm keeps nothing of the world that could be drawn.") : "",
      census,
      isMesh ? "" : el("p", { class: "faint" }, "The tree tool shows the tree kept for a port: choose it and click one. What an edit made dirty flashes when it is repaired."));
  };

  /** @type {import("./protocol").Legs | null} */
  let told = null;
  const showLegs = () => {
    if (!studio.found?.in_legs) return legs.replaceChildren();
    const step = (/** @type {number} */ by) => {
      if (!chart.legs) return;
      chart.legsShown = Math.max(0, Math.min(chart.legs.ends.length, chart.legsShown + by));
      studio.draw();
      showLegs();
    };
    legs.replaceChildren(el("h3", {}, "Legs"),
      el("div", { class: "buttons" },
        button("Abstract route", async () => {
          told = await studio.legs();
          showLegs();
        }, { id: "legs" }),
        button("Refine next", () => step(1), { id: "refine", disabled: !chart.legs }),
        button("All", () => step(Infinity), { disabled: !chart.legs }),
        button("Back", () => step(-1), { disabled: !chart.legs }),
        button("Route", () => (chart.legs = null, studio.draw(), showLegs()), { disabled: !chart.legs })),
      el("p", { id: "legs-about" }, chart.legs && told
        ? `${chart.legsShown} of ${chart.legs.ends.length} legs refined. Planned in ${time(told.plan_us)}, first leg in ${time(told.refine_us[0] ?? 0)}.`
        : "The route as the chart knows it: ports first, cells when somebody walks there."));
  };
  // While a person draws, edits follow each other quickly: the chart is fetched after a pause.
  let pending = 0;
  studio.on("found", ({ hasNewChart }) => {
    clearTimeout(pending);
    if (isShown && studio.found && (hasNewChart || chart.layers.length === 0)) pending = setTimeout(() => void studio.outline(), 120);
    else show();
    showLegs();
  });
  studio.on("chart", () => (show(), showLegs()));
  show();
  return el("div", {}, body, legs);
}
