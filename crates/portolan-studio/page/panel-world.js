// The panel in which a world is chosen, generated, opened from a file, and saved.

import { controls } from "./controls.js";
import { button, count, download, el, labelled, select, size } from "./dom.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").WorldRef} WorldRef */

/** @param {Studio} studio */
export function worldPanel(studio) {
  const about = el("div", { class: "about", id: "world-about" });
  const pick = el("div", {});
  const maker = el("details", { id: "maker" });
  const cityMaker = el("details", { id: "city-maker" });
  const picker = el("input", { type: "file", id: "file", accept: ".map,.png,.txt,.world,.hex,.tmx,.tmj,.ldtk,.case,.mesh,.navmesh,.obj,.gltf,.glb", hidden: true });
  picker.addEventListener("change", () => {
    const [file] = picker.files ?? [];
    if (file) void studio.upload(file);
    picker.value = "";
  });
  const rules = el("div", {});

  studio.on("ready", () => {
    const { builtin, maps, folder, recipes, cases } = studio.catalogue ?? { builtin: [], maps: [], folder: null, recipes: [], cases: [] };
    const option = (/** @type {WorldRef} */ ref, /** @type {string} */ text) => el("option", { value: JSON.stringify(ref) }, text);
    const sized = (/** @type {{ name: string, width: number | null, height: number | null }} */ { name, width, height }) => (width ? `${name} (${width} × ${height})` : name);
    const list = el("select", { id: "worlds" },
      el("option", { value: "", disabled: true, selected: true }, "choose a world…"),
      el("optgroup", { label: "Built in" }, ...builtin.map((world) => option({ kind: "builtin", name: world.name }, sized(world)))),
      cases.length > 0 && el("optgroup", { label: "Test cases" }, ...cases.map(({ name }) => option({ kind: "case", name }, name))),
      ...folders(maps).map(([name, files]) => el("optgroup", { label: `${folder ?? ""} ${name}`.trim() }, ...files.map((map) => option({ kind: "map", name: map.name }, sized(map))))));
    list.addEventListener("change", () => void studio.open(JSON.parse(list.value)));
    pick.replaceChildren(labelled("World", list));
    if (!maker.hasChildNodes()) maker.append(...generator(studio, recipes));
    if (!cityMaker.hasChildNodes()) cityMaker.append(...cities(studio));
    showPick();
  });
  const showPick = () => {
    const list = pick.querySelector("select");
    if (!list || !studio.world) return;
    list.value = JSON.stringify(studio.world.ref);
    if (list.selectedIndex < 0) list.selectedIndex = 0;
  };

  studio.on("world", () => {
    const { world } = studio;
    if (!world) return;
    showPick();
    about.replaceChildren(
      el("strong", {}, world.name), world.mesh ? `: ${count(world.mesh.polygons)} polygons, ${count(world.free)} of them free, ${count(world.mesh.portals)} portals, ${world.mesh.components === 1 ? "one piece" : `${count(world.mesh.components)} pieces`}, ${size(world.bytes)}` : `${world.ref.kind === "made" ? "" : ` ${world.width} × ${world.height}`}, ${count(world.free)} free ${world.grid ? "hexes" : "cells"}, ${size(world.bytes)}`,
      world.case ? el("p", {}, world.case.about) : "");
    for (const [as, one] of Object.entries(savers)) one.hidden = as !== "mesh" && (as === "hex") !== Boolean(world.grid) || (as === "mesh") !== Boolean(world.mesh);
    if (world.mesh) return rules.replaceChildren(...agentRules(studio, world.mesh.agent));
    if (!world.corners) return rules.replaceChildren(el("p", { class: "faint" }, "From a hex to each of the six beside it."));
    rules.replaceChildren(
      labelled("Corners", select(["strict", "no-squeeze", "loose"], world.corners, (corners) => {
        studio.rules.corners = /** @type {any} */ (corners);
        void studio.reopen();
      }, { id: "corners" }), "What a diagonal step needs of the two cells beside it: both free, not both blocked, or nothing"),
      labelled("Directions", select(["8", "4"], String(world.directions), (directions) => {
        studio.rules.directions = directions === "4" ? 4 : 8;
        void studio.reopen();
      }, { id: "directions" })));
  });

  const save = async (/** @type {string} */ as) => {
    const answer = await studio.request({ do: "save", as });
    if (answer) download(answer.head.name, /** @type {Uint8Array<ArrayBuffer>} */ (answer.parts.bytes));
  };
  const saver = (/** @type {string} */ as, /** @type {string} */ title) => button(`Save .${as}`, () => save(as), { id: `save-${as}`, title });
  const savers = {
    map: saver("map", "For other programs; without weights"), png: saver("png", "As a picture, with weights"),
    txt: saver("txt", "With weights, to be read by people too"), hex: saver("hex", "With weights, to be read by people too"),
    mesh: saver("mesh", "With weights and heights"),
  };
  return el("div", {},
    about, pick,
    el("div", { class: "buttons" }, button("Open file…", () => picker.click(), { id: "open-file", title: "A .map, .png, .txt, .hex, .tmx, .tmj, .ldtk, .case or .mesh, or level geometry (.obj, .gltf, .glb); or drop it anywhere" }), picker, ...Object.values(savers)),
    maker, cityMaker, el("h3", {}, "How agents step"), rules);
}

/**
 * Returns the files by their folder.
 * @template {{ name: string }} F
 * @param {F[]} files
 * @returns {[string, F[]][]}
 */
function folders(files) {
  /** @type {Map<string, F[]>} */
  const byFolder = new Map();
  for (const file of files) {
    const folder = file.name.includes("/") ? file.name.slice(0, file.name.lastIndexOf("/")) : "";
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  return [...byFolder.entries()];
}

/** What is said of the agents for which a mesh is built: the name, what it is, and the range. */
const AGENT = /** @type {[keyof import("./protocol").MeshAgent, string, string, number, number][]} */ ([
  ["radius", "Radius", "How far the mesh keeps from walls and drops", 0, 3],
  ["height", "Height", "Where the ceiling is lower, there is no mesh", 0.5, 5],
  ["climb", "Climb", "The highest step up or down", 0, 3],
  ["slope", "Slope", "The steepest ground, in degrees", 0, 89],
  ["cell", "Cell", "How finely the level is cut before the mesh is made", 0.05, 1],
]);

/**
 * Returns the sliders for the agents for which a mesh is built, if it is built.
 * @param {Studio} studio
 * @param {import("./protocol").MeshAgent | null} agent
 */
function agentRules(studio, agent) {
  if (!agent) return [el("p", { class: "faint" }, "Over portals from polygon to polygon, and straight across each. The file says which ground there is; of level geometry (.obj, .gltf, .glb) the mesh is built for agents of a size.")];
  return AGENT.map(([name, title, help, least, most]) => {
    const step = (most - least) / 100;
    const field = el("input", { type: "number", min: String(least), step: "any", value: String(Number(agent[name].toFixed(3))), id: `agent-${name}` });
    const slider = el("input", { type: "range", min: String(least), max: String(most), step: String(step), value: String(agent[name]), "aria-label": title });
    const act = (/** @type {number} */ value) => {
      if (!Number.isFinite(value)) return;
      studio.rules.agent = { ...agent, [name]: value };
      void studio.reopen().then((opened) => opened || (studio.rules.agent = agent));
    };
    slider.addEventListener("input", () => (field.value = String(Number(Number(slider.value).toFixed(3)))));
    slider.addEventListener("change", () => act(Number(slider.value)));
    field.addEventListener("change", () => act(field.valueAsNumber));
    return labelled(title, Object.assign(el("span", { class: "pair" }, slider, field), { id: `agent-${name}-pair` }), help);
  });
}

/** @param {Studio} studio */
function cities(studio) {
  const number = (/** @type {string} */ id, /** @type {number} */ value, /** @type {number} */ most) => el("input", { type: "number", id, min: "1", max: String(most), value: String(value) });
  const [columns, rows, seed] = [number("city-columns", 6, 100), number("city-rows", 5, 100), number("city-seed", 1, 1e9)];
  const make = () => studio.open({ kind: "city", columns: columns.valueAsNumber || 1, rows: rows.valueAsNumber || 1, seed: seed.valueAsNumber || 0 });
  studio.on("world", () => {
    const ref = studio.world?.ref;
    if (ref?.kind === "city") [columns.value, rows.value, seed.value] = [ref.columns, ref.rows, ref.seed].map(String);
  });
  return [
    el("summary", {}, "Make the mesh of a city"), el("p", { class: "faint" }, `Streets, houses, parks, bridges and sunken roads; about a hundred polygons a block. At most ${studio.catalogue?.limits.blocks ?? 400} blocks.`),
    labelled("Blocks across", columns), labelled("Blocks down", rows), labelled("Seed", seed),
    el("div", { class: "buttons" }, button("Make", () => void make(), { id: "make-city", class: "main" }), button("Next seed", () => {
      seed.value = String((seed.valueAsNumber || 0) + 1);
      void make();
    })),
  ];
}

/**
 * @param {Studio} studio
 * @param {import("./protocol").Catalogue["recipes"]} recipes
 */
function generator(studio, recipes) {
  let recipe = recipes[0];
  /** @type {Record<string, string>} */
  let settings = {};
  const [width, height] = [128, 96].map((value) => el("input", { type: "number", min: "4", max: String(studio.catalogue?.limits.side ?? 4096), value: String(value) }));
  [width.id, height.id] = ["make-width", "make-height"];
  const seed = el("input", { type: "number", min: "0", step: "1", value: "1", id: "make-seed" });
  const grid = select([["square", "squares"], ["hex", "hexes"]], "square", () => void make(), { id: "make-grid" });
  const sliders = el("div", {});
  const make = () => studio.open({ kind: "made", recipe: recipe.name, width: width.valueAsNumber || 1, height: height.valueAsNumber || 1, seed: seed.valueAsNumber || 0, settings, ...(grid.value === "hex" ? { grid: /** @type {const} */ ("hex") } : {}) });
  const summary = el("p", { class: "faint" });
  const show = () => {
    summary.textContent = recipe.summary;
    sliders.replaceChildren(...controls(recipe.params, settings, (name, value) => {
      settings = { ...settings, [name]: value };
      void make();
    }));
  };
  const list = select(recipes.map(({ name }) => name), recipe.name, (name) => {
    recipe = recipes.find((one) => one.name === name) ?? recipes[0];
    settings = {};
    show();
    void make();
  }, { id: "recipe" });
  show();
  studio.on("world", () => {
    const ref = studio.world?.ref;
    if (ref?.kind !== "made") return;
    const isOther = ref.recipe !== recipe.name || JSON.stringify(ref.settings) !== JSON.stringify(settings);
    recipe = recipes.find((one) => one.name === ref.recipe) ?? recipe;
    settings = { ...ref.settings };
    [list.value, width.value, height.value, seed.value, grid.value] = [recipe.name, String(ref.width), String(ref.height), String(ref.seed), ref.grid ?? "square"];
    // The sliders are made anew only if something is different, so that a slider under the pointer stays.
    if (isOther) show();
  });
  return [
    el("summary", {}, "Make a world"), labelled("Recipe", list), summary,
    labelled("Cells", grid), labelled("Width", width), labelled("Height", height), labelled("Seed", seed), sliders,
    el("div", { class: "buttons" }, button("Make", () => void make(), { id: "make", class: "main" }), button("Next seed", () => {
      seed.value = String((seed.valueAsNumber || 0) + 1);
      void make();
    }, { id: "next-seed" })),
  ];
}
