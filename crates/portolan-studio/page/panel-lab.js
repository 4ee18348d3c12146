// The panel that starts races over many queries and the papers' studies, and shows their reports.

import { button, download, el, labelled, select, tick } from "./dom.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").WorldRef} WorldRef */

/** @param {Studio} studio */
export function labPanel(studio) {
  const setup = el("div", {});
  const bar = el("progress", { id: "lab-progress", max: 1, value: 0, "aria-label": "Progress" });
  const what = el("span", { id: "lab-what", class: "faint" });
  const cancel = button("Cancel", () => studio.link.cancel(), { id: "lab-cancel" });
  const under = el("div", { class: "buttons", id: "lab-under", hidden: true }, bar, cancel, what);
  const results = el("div", { id: "lab-results" });

  /** @param {object} command */
  const start = async (command) => {
    under.hidden = false;
    bar.removeAttribute("value");
    what.textContent = "getting ready";
    const answer = await studio.request(command, {}, ({ done, total, what: doing }) => {
      if (total > 0) Object.assign(bar, { max: total, value: done });
      what.textContent = doing;
    });
    under.hidden = true;
    if (answer) results.prepend(report(answer.head.name, answer.parts));
  };

  studio.on("ready", () => {
    const { algorithms, studies, builtin, maps: all } = studio.catalogue ?? { algorithms: [], studies: [], builtin: [], maps: [] };
    const maps = all.filter(({ mesh }) => !mesh);
    // What the rules choose, against what the person has chosen.
    const racers = new Set([...algorithms.slice(0, 1).map(({ name }) => name), studio.algorithm]);
    /** @type {(WorldRef | "here")[]} */
    let worlds = ["here"];
    const list = el("select", { multiple: true, size: 6, id: "lab-worlds" },
      el("option", { value: '"here"', selected: true }, "the world on the screen"),
      ...builtin.map(({ name }) => el("option", { value: JSON.stringify({ kind: "builtin", name }) }, name)),
      ...maps.map(({ name }) => el("option", { value: JSON.stringify({ kind: "map", name }) }, name)));
    list.addEventListener("change", () => (worlds = Array.from(list.selectedOptions, (option) => JSON.parse(option.value))));
    const field = (/** @type {string} */ id, /** @type {number} */ value, /** @type {number} */ least) => el("input", { type: "number", min: String(least), step: "1", value: String(value), id });
    const [queries, seed, repeat, edits] = [field("lab-queries", 100, 1), field("lab-seed", 1, 0), field("lab-repeat", 3, 1), field("lab-edits", 0, 0)];
    let study = studies[0]?.name ?? "";
    const about = el("p", { class: "faint" });
    const folders = [...new Set(maps.map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf("/")))))].filter(Boolean);
    let folder = "";
    let isQuick = true;
    const showStudy = () => (about.textContent = studies.find(({ name }) => name === study)?.summary ?? "");
    showStudy();
    setup.replaceChildren(
      el("h3", {}, "Race over many queries"), labelled("Worlds", list, "Several with Ctrl or Shift"),
      el("div", { class: "ticks" }, ...algorithms.map(({ name, title }) => tick(title, racers.has(name), (is) => (is ? racers.add(name) : racers.delete(name)), { "data-racer": name }))),
      labelled("Queries", queries), labelled("Seed", seed), labelled("Repeats", repeat), labelled("Edits", edits, "Edits after the queries, each repaired and timed"),
      el("div", { class: "buttons" }, button("Race", () => void start({
        do: "race", worlds, entrants: [...racers].map((algorithm) => ({ algorithm, settings: studio.settings[algorithm] ?? {} })),
        queries: queries.valueAsNumber || 1, seed: seed.valueAsNumber || 0, repeat: repeat.valueAsNumber || 1, edits: edits.valueAsNumber || 0,
      }), { id: "lab-race", class: "main" })),
      el("h3", {}, "A paper's experiments, again"),
      labelled("Study", select(studies.map(({ name, title }) => [name, title]), study, (name) => (study = name, showStudy()), { id: "study" })), about,
      labelled("Maps", select([["", "generated look-alikes"], ...folders.map((name) => /** @type {[string, string]} */ ([name, name]))], "", (name) => (folder = name), { id: "study-maps" })),
      tick("Quick: fewer queries and smaller worlds", isQuick, (is) => (isQuick = is), { id: "study-quick" }),
      el("div", { class: "buttons" }, button("Study", () => void start({ do: "study", name: study, maps: folder || null, quick: isQuick, seed: seed.valueAsNumber || 1 }), { id: "lab-study", class: "main" })));
  });

  const picker = el("input", { type: "file", accept: ".html", hidden: true, id: "report-file" });
  picker.addEventListener("change", async () => {
    const [file] = picker.files ?? [];
    if (file) results.prepend(report(file.name, { html: new Uint8Array(await file.arrayBuffer()) }));
    picker.value = "";
  });
  return el("div", {}, setup, under, el("h3", {}, "Reports"),
    el("div", { class: "buttons" }, button("Open saved report…", () => picker.click()), picker), results);
}

/**
 * Makes the buttons of a report: it is shown in a frame that cannot run scripts, and can be saved as files.
 * @param {string} name
 * @param {import("./frame.js").Parts} parts
 */
function report(name, parts) {
  const stem = name.replace(/\.html$/, "");
  const address = URL.createObjectURL(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (parts.html)], { type: "text/html" }));
  const show = () => {
    const dialog = el("dialog", { class: "report", "aria-label": name },
      el("div", { class: "buttons" }, el("strong", {}, stem), button("Close", () => dialog.close(), { autofocus: true })),
      el("iframe", { src: address, sandbox: "", title: name }));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  const files = /** @type {const} */ (["html", "json", "tsv", "csv"]).filter((kind) => parts[kind]?.length);
  return el("div", { class: "case", "data-report": stem }, button(`Look at ${stem}`, show, { class: "look" }),
    ...files.map((kind) => button(kind.toUpperCase(), () => download(`${stem}.${kind}`, /** @type {Uint8Array<ArrayBuffer>} */ (parts[kind])), { title: `Save as ${kind}` })));
}
