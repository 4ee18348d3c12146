// The panel in which two or three algorithms walk side by side, and their work is counted.

import { button, count, download, el, labelled, select, table, time } from "./dom.js";
import { pace } from "./panel-walk.js";
import { plot } from "./plot.js";
import { series } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("./protocol").Pane} Pane */

/**
 * The columns of the table: a name for people, one for files, the value, and how it is written.
 * @type {[string, string, (pane: Pane) => number | string, (value: any) => string][]}
 */
const COLUMNS = [
  ["Inserts", "inserts", ({ work }) => work.pushes, count],
  ["Removes", "removes", ({ work }) => work.pops, count],
  ["Mean heap size", "heap_mean", ({ work }) => work.open_mean, (value) => value.toFixed(1)],
  ["Total operations", "operations", ({ work }) => work.operations, count],
  ["Expanded", "expanded", ({ work }) => work.expanded, count],
  ["Searches", "searches", ({ work }) => work.searches, count],
  ["Search time", "search_us", ({ finds_us }) => finds_us, time],
  ["Repair time", "repair_us", ({ repairs_us }) => repairs_us, time],
  ["Build time", "build_us", ({ build_us }) => build_us, time],
  ["Length walked", "length", ({ work }) => work.walked, (value) => value.toFixed(2)],
  ["State", "state", ({ state, why }) => (why ? `${state}: ${why}` : state), String],
];

const MOST_PANES = 3;

/**
 * @param {Studio} studio
 * @param {Walk} walk
 */
export function racePanel(studio, walk) {
  /** The algorithm of each pane. @type {string[]} */
  const chosen = [];
  const pickers = el("div", {});
  const shown = el("div", { id: "race-table", "aria-live": "off" });
  const curves = el("div", { id: "race-plot" });
  let panes = MOST_PANES;

  const showPickers = () => {
    const names = studio.catalogue?.algorithms ?? [];
    const suits = (/** @type {string} */ name) => !("needs" in (studio.world?.promises[name] ?? {}));
    // A pane without an algorithm, or with one that does not suit the world, gets one that does.
    const racers = studio.world?.racers ?? [];
    for (let i = 0; i < MOST_PANES; i++) {
      const other = racers.find((name) => !chosen.includes(name));
      if (other && !(chosen[i] && suits(chosen[i]))) chosen[i] = other;
    }
    pickers.replaceChildren(
      labelled("Panes", select(["2", "3"], String(panes), (value) => (panes = Number(value), showPickers()), { id: "race-panes" })),
      ...chosen.slice(0, panes).map((name, i) => {
        const row = labelled(`Pane ${i + 1}`, select(names.map((one) => [one.name, suits(one.name) ? one.title : `${one.title} (not here)`]), name, (value) => (chosen[i] = value), { id: `racer-${i}` }));
        row.style.setProperty("--mark", series()[i]);
        row.classList.add("marked");
        return row;
      }));
  };
  studio.on("ready", showPickers);
  studio.on("world", showPickers);

  const go = button("Race", async () => {
    if (walk.isOn && walk.panes.length > 1 && !walk.isDone) return walk.toggle();
    // A case that was played to its end is played again from its beginning.
    if (walk.isDone && studio.world?.ref.kind === "case") await studio.open(studio.world.ref);
    const entrants = chosen.slice(0, panes).map((algorithm) => ({ algorithm, settings: studio.settings[algorithm] ?? {} }));
    const isCase = studio.world?.case !== null && !studio.isEdited;
    const replan = studio.world?.case?.replan ?? "touched";
    if (await walk.start(entrants, { replan, isCase })) walk.run();
  }, { id: "race", class: "main" });

  const rows = () => [["", ...walk.panes.map(({ algorithm }) => algorithm)], ...COLUMNS.map(([name, , value, text]) => [name, ...walk.panes.map((pane) => text(value(pane)))])];
  const save = (/** @type {"tsv" | "csv" | "json"} */ kind) => {
    if (walk.panes.length === 0) return;
    const records = walk.panes.map((pane) => ({ tick: walk.tick, algorithm: pane.algorithm, ...Object.fromEntries(COLUMNS.map(([, key, value]) => [key, value(pane)])) }));
    const keys = Object.keys(records[0]);
    const quote = (/** @type {unknown} */ value) => (kind === "csv" && /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
    const lines = [keys, ...records.map((record) => keys.map((key) => quote(/** @type {any} */ (record)[key])))].map((line) => line.join(kind === "csv" ? "," : "\t"));
    const json = { world: studio.world?.name, panes: records, operations: walk.operations };
    download(`race.${kind}`, kind === "json" ? JSON.stringify(json, null, 1) + "\n" : lines.join("\n") + "\n", "text/plain");
  };

  let drawn = 0;
  const show = () => {
    go.textContent = walk.isOn && walk.panes.length > 1 && !walk.isDone ? (walk.isRunning ? "Pause" : "Go on") : "Race";
    if (walk.panes.length < 2) {
      shown.replaceChildren();
      curves.replaceChildren();
      return;
    }
    const grid = table(/** @type {string[][]} */ (rows()));
    grid.querySelectorAll("th").forEach((head, i) => i > 0 && head.style.setProperty("--mark", series()[i - 1]));
    Object.assign(grid.dataset, { tick: String(walk.tick), done: String(walk.isDone), operations: walk.panes.map(({ work }) => work.operations).join(" ") });
    shown.replaceChildren(el("p", {}, `Tick ${walk.tick}${walk.isDone ? ", everybody has come to rest" : ""}`), grid);
    // The plot is drawn at most five times a second, which is as fast as it can be followed.
    if (performance.now() - drawn > 200 || walk.isDone) {
      drawn = performance.now();
      curves.replaceChildren(plot("Operations over ticks", walk.panes.map(({ algorithm }, i) => ({ name: algorithm, values: walk.operations[i] }))));
    }
  };
  walk.watch(show);
  studio.on("theme", () => (showPickers(), show()));
  return el("div", {},
    el("p", { class: "faint" }, "The same world, the same goal, the same edits, in lock step. Draw while they walk, or open a test case first."),
    pickers, pace(walk, "race-pace"),
    el("div", { class: "buttons" }, go,
      button("Step", () => void walk.step(), { id: "race-step" }), button("End", () => void walk.end(), { id: "race-end" })),
    shown, curves,
    el("div", { class: "buttons" }, ...(/** @type {const} */ (["tsv", "csv", "json"])).map((kind) => button(`Save ${kind.toUpperCase()}`, () => save(kind), { id: `race-${kind}` }))));
}
