// Puts the page together: panes, tools, panels, keys, messages.

import { byId, button, el } from "./dom.js";
import { savePng, saveSvg, saveTrace } from "./export.js";
import { Crowd } from "./crowd.js";
import { Game, HEADINGS } from "./game.js";
import { icon } from "./icons.js";
import { helpSheet, listen } from "./keys.js";
import { Minds } from "./mind.js";
import { minimap } from "./minimap.js";
import { isDark, terrainColours } from "./palette.js";
import { chartPanel } from "./panel-chart.js";
import { crowdPanel } from "./panel-crowd.js";
import { gamePanel } from "./panel-game.js";
import { groundPanel } from "./panel-ground.js";
import { labPanel } from "./panel-lab.js";
import { mindPanel } from "./panel-mind.js";
import { racePanel } from "./panel-race.js";
import { searchPanel } from "./panel-search.js";
import { walkPanel } from "./panel-walk.js";
import { worldPanel } from "./panel-world.js";
import { Player } from "./player.js";
import { address, follow, gameOf, mindsOf } from "./share.js";
import { Studio } from "./studio.js";
import { Tools } from "./tools.js";
import { Walk } from "./walk.js";

const studio = new Studio(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
const tools = new Tools(studio);
const walk = new Walk(studio);
const game = new Game(studio, walk);
const crowd = new Crowd(studio);
const minds = new Minds(studio, { walk, game, crowd });
const player = new Player(studio);

// ---- Panes ----

const panes = byId("panes");
/** @type {WeakSet<object>} */
const attached = new WeakSet();
const arrange = () => {
  for (const view of studio.views) {
    if (!attached.has(view)) tools.attach(view);
    attached.add(view);
    if (view.element.parentElement !== panes) panes.append(view.element);
    if (studio.views.length === 1) view.caption.textContent = "";
  }
  // The panes are beside or below each other, whichever leaves more room for the world.
  const { ground } = studio.scene;
  const { width, height } = panes.getBoundingClientRect();
  const count = studio.views.length;
  const shape = ground ? ground.grid.across / ground.grid.down : 1;
  panes.dataset.way = Math.min(width / count, height * shape) < Math.min(width, (height / count) * shape) ? "down" : "across";
  panes.dataset.count = String(count);
};
studio.on("panes", arrange);
arrange();
new ResizeObserver(() => studio.camera.isWhole && studio.fit()).observe(panes);
byId("stage").append(minimap(studio), player.element);

// ---- Tools ----

/** @type {[tool: import("./tools.js").Tool, help: string][]} */
const TOOLS = [
  ["hand", "Move the view (v)"],
  ["brush", "Draw (b)"],
  ["line", "Line (l)"],
  ["rectangle", "Rectangle (r)"],
  ["fill", "Fill (f)"],
  ["border", "Borders between cells: drag along their sides (e)"],
  ["link", "Links: drag from cell to cell (k)"],
  ["tree", "Show the tree of a port: click one (p)"],
];
const toolButtons = TOOLS.map(([tool, help]) => button(icon(tool), () => useTool(tool), { id: `tool-${tool}`, title: help, "aria-label": help, "aria-pressed": "false" }));
const weights = Array.from({ length: 10 }, (_, weight) => button(weight === 0 ? "#" : String(weight), () => useWeight(weight), {
  id: `weight-${weight}`, class: "weight", "data-weight": String(weight), "aria-pressed": "false",
  title: weight === 0 ? "Block (0)" : weight === 1 ? "Clear: ground of weight 1 (1)" : `Ground of weight ${weight} (${weight})`,
  "aria-label": weight === 0 ? "Block" : weight === 1 ? "Clear" : `Weight ${weight}`,
}));
const brush = el("input", { type: "range", min: "1", max: "25", step: "2", value: "1", id: "brush", "aria-label": "Brush size", title: "Brush size" });
brush.addEventListener("input", () => (tools.size = Number(brush.value)));
const back = button(icon("undo"), () => void studio.strokes.takeBack(), { id: "undo", title: "Undo (Ctrl+Z)", "aria-label": "Undo", disabled: true });
const again = button(icon("redo"), () => void studio.strokes.doAgain(), { id: "redo", title: "Redo (Ctrl+Y)", "aria-label": "Redo", disabled: true });
byId("tools").append(...toolButtons, el("hr"), el("div", { id: "weights" }, ...weights), brush, el("hr"), back, again);

/** @param {import("./tools.js").Tool} tool */
function useTool(tool) {
  tools.tool = tool;
  TOOLS.forEach(([name], i) => toolButtons[i].setAttribute("aria-pressed", String(name === tool)));
  panes.dataset.tool = tool;
  studio.scene.side = null;
  if (tool === "border" || tool === "link") showPanel("ground");
}

/** @param {number} weight */
function useWeight(weight) {
  tools.weight = weight;
  weights.forEach((one, i) => one.setAttribute("aria-pressed", String(i === weight)));
  if (["hand", "tree", "border", "link"].includes(tools.tool)) useTool("brush");
}
useTool("hand");
weights[0].setAttribute("aria-pressed", "true");
const showCounts = () => {
  back.disabled = studio.undo === 0;
  again.disabled = studio.redo === 0;
};
for (const topic of /** @type {const} */ (["edited", "world"])) studio.on(topic, showCounts);
walk.watch(showCounts);

const showWeights = () => {
  const colours = terrainColours();
  weights.forEach((one, weight) => Object.assign(one.style, { background: colours[weight], color: weight === 0 ? "#fff" : "" }));
};
studio.on("theme", showWeights);
showWeights();

// ---- Panels ----

const PANELS = /** @type {const} */ (["world", "ground", "search", "chart", "walk", "crowd", "mind", "race", "game", "lab"]);
/** @type {Record<string, HTMLElement>} */
const panels = { world: worldPanel(studio), ground: groundPanel(studio, tools), search: searchPanel(studio), chart: chartPanel(studio), walk: walkPanel(studio, walk), crowd: crowdPanel(studio, crowd), mind: mindPanel(studio, minds), race: racePanel(studio, walk), game: gamePanel(studio, game), lab: labPanel(studio) };
const tabs = PANELS.map((name) => button(name[0].toUpperCase() + name.slice(1), () => showPanel(name), { id: `tab-${name}`, role: "tab", "aria-controls": `panel-${name}` }));
byId("tabs").append(...tabs);
for (const name of PANELS) {
  Object.assign(panels[name], { id: `panel-${name}`, className: "panel" });
  panels[name].setAttribute("role", "tabpanel");
  panels[name].setAttribute("aria-labelledby", `tab-${name}`);
  byId("side").append(panels[name]);
}
byId("tabs").addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  if (way === 0 || at < 0) return;
  let next = at;
  do next = (next + way + tabs.length) % tabs.length;
  while (tabs[next].disabled);
  tabs[next].focus();
  showPanel(PANELS[next]);
});

/** @param {string} shown */
function showPanel(shown) {
  PANELS.forEach((name, i) => {
    panels[name].hidden = name !== shown;
    tabs[i].setAttribute("aria-selected", String(name === shown));
    tabs[i].tabIndex = name === shown ? 0 : -1;
  });
}
showPanel("search");

/** The panels and tools that are for worlds of cells alone. */
const FOR_CELLS = { panels: ["ground", "walk", "race", "game"], tools: ["rectangle", "fill", "border", "link", "tree"] };
studio.on("world", () => {
  const isMesh = Boolean(studio.world?.mesh);
  PANELS.forEach((name, i) => {
    tabs[i].disabled = isMesh && FOR_CELLS.panels.includes(name);
    tabs[i].title = tabs[i].disabled ? "For worlds of squares and hexes" : "";
    if (tabs[i].disabled && !panels[name].hidden) showPanel("search");
  });
  TOOLS.forEach(([name], i) => (toolButtons[i].hidden = isMesh && FOR_CELLS.tools.includes(name)));
  if (isMesh && FOR_CELLS.tools.includes(tools.tool)) useTool("hand");
});

// ---- Status and messages ----

const status = byId("status");
tools.onhover = () => {
  const { hover, ground } = studio.scene;
  if (!hover || !ground?.has(...hover)) return void (status.textContent = "");
  const walker = crowd.about(tools.pointer);
  if (walker) return void (status.textContent = walker);
  const weight = ground.weight(...hover);
  const about = studio.views[0].trace?.about(hover[1] * ground.width + hover[0]);
  const place = `${ground.grid.name(...hover)} · ${weight === 0 ? "blocked" : weight === 1 ? "ground" : `weight ${weight}`}`;
  const from = about && about.from >= 0 ? ` · from ${ground.grid.name(about.from % ground.width, (about.from / ground.width) | 0)}` : "";
  status.textContent = about ? `${place} · ${about.state} · g ${about.g} · h ${about.h} · f ${about.f}${about.visited === null ? "" : ` · event ${about.visited}`}${from}` : place;
};

const message = byId("message");
let fading = 0;
studio.on("say", ({ text, isBad }) => {
  message.textContent = text;
  message.className = isBad ? "bad" : "";
  message.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (message.hidden = true), isBad ? 9000 : 4000);
});
let busy = 0;
studio.on("busy", (/** @type {number} */ count) => {
  // Only work that takes a while is shown, because short work would flicker.
  clearTimeout(busy);
  if (count > 0) busy = setTimeout(() => document.body.classList.add("busy"), 150);
  else document.body.classList.remove("busy");
});

// ---- Connection and address ----

studio.on("lost", () => {
  document.body.dataset.line = "lost";
  byId("line").textContent = "The line to the server is broken; calling again…";
});
studio.on("ready", ({ isBack }) => {
  document.body.dataset.line = "open";
  byId("line").textContent = "";
  byId("version").textContent = studio.catalogue?.version ?? "";
  if (!isBack) void open(location.hash);
});
/**
 * Opens what an address describes. The game of an address begins again, and its minds set off again.
 * @param {string} hash
 */
async function open(hash) {
  const [asked, sent] = [gameOf(hash), mindsOf(hash)];
  await follow(studio, hash);
  if (sent) {
    showPanel("mind");
    if (await minds.start(sent)) minds.run();
  }
  if (!asked) return;
  showPanel("game");
  if (await game.start(asked)) game.run();
}
let isOurs = "";
const showAddress = () => {
  isOurs = address(studio);
  if (isOurs && location.hash !== isOurs) history.replaceState(null, "", isOurs);
};
for (const topic of /** @type {const} */ (["world", "question", "found"])) studio.on(topic, showAddress);
/** What of the address is under way. */
let shared = "";
for (const one of [game, minds]) {
  one.watch(() => {
    const now = `${game.isOn} ${minds.isOn} ${minds.shown?.asked.isTogether}`;
    if (shared === now) return;
    shared = now;
    showAddress();
  });
}
addEventListener("hashchange", () => {
  if (location.hash !== isOurs) void open(location.hash).then(() => void (game.isOn || minds.isOn || studio.ask(true)));
});
studio.on("world", () => (document.title = `${studio.world?.name} – Portolan studio`));

// ---- Dropped files ----

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void studio.upload(file);
});

// ---- Buttons on top ----

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // A browser may store nothing; then the theme lasts as long as the page.
  }
  studio.repaint();
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => studio.repaint());
byId("theme").append(icon("theme"));
byId("theme").onclick = () => setTheme(isDark() ? "light" : "dark");
byId("share").onclick = async () => {
  showAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    studio.say("The address is copied: it holds world, start, goal, algorithm, settings, game and minds.");
  } catch {
    studio.say(location.href);
  }
  if (studio.isEdited || studio.world?.ref.kind === "file") studio.say("The address names the world as it was opened: save the file to share your drawing.");
};
byId("png").onclick = () => savePng(studio);
byId("svg").onclick = () => saveSvg(studio);
byId("trace").onclick = () => (studio.views[0].trace ? saveTrace(studio) : studio.say("Run a search first: its trace can be saved then."));

// ---- Keys ----

const toggle = (/** @type {"route" | "tree" | "states"} */ what) => () => byId(`show-${what}`).click();
// In a game with a player, the arrow keys steer it.
const move = (/** @type {keyof typeof HEADINGS} */ way, /** @type {number} */ dx, /** @type {number} */ dy) => () => (game.head?.player ? void game.steer(HEADINGS[way]) : studio.camera.pan(dx * 60, dy * 60));
/** @type {import("./keys.js").Key[]} */
const keys = [
  { keys: ["Enter"], shown: "Enter", help: "Run the search", act: () => (showPanel("search"), void studio.ask(true)) },
  { keys: [" "], shown: "Space", help: "Play or pause: a game, agents or minds if they are under way, else the search", act: () => (game.isOn ? game.toggle() : walk.isOn ? walk.toggle() : crowd.isOn ? crowd.toggle() : minds.isOn ? minds.toggle() : player.toggle()) },
  { keys: ["."], shown: ".", help: "Next expansion, or next tick", act: () => (game.isOn ? void game.step() : walk.isOn ? void walk.step() : crowd.isOn ? void crowd.step() : minds.isOn ? void minds.step() : player.expansion(1)) },
  { keys: [","], shown: ",", help: "Expansion before, or tick of minds before", act: () => (minds.isOn ? minds.seek(minds.now - 1) : player.expansion(-1)) },
  { keys: ["Home"], shown: "Home", help: "Start of the search", act: () => player.seek(0) },
  { keys: ["End"], shown: "End", help: "End of the search", act: () => player.seek(Infinity) },
  { keys: ["g"], shown: "g", help: "Show or hide routes", act: toggle("route") },
  { keys: ["t"], shown: "t", help: "Show or hide the search tree", act: toggle("tree") },
  { keys: ["s"], shown: "s", help: "Show or hide states of nodes", act: toggle("states") },
  { keys: ["Ctrl+z"], shown: "Ctrl+Z", help: "Undo", act: () => void studio.strokes.takeBack() },
  { keys: ["Ctrl+y", "Ctrl+Shift+z"], shown: "Ctrl+Y", help: "Redo", act: () => void studio.strokes.doAgain() },
  ...TOOLS.map(([tool, help]) => ({ keys: [help.slice(-2, -1)], shown: help.slice(-2, -1), help: help.slice(0, -4), act: () => useTool(tool) })),
  ...weights.map((_, weight) => ({ keys: [String(weight)], shown: ["0", "1", "2 … 9"][weight] ?? "", help: ["Draw walls", "Clear", "Draw ground of that weight"][weight] ?? "", act: () => useWeight(weight) })),
  { keys: [], shown: "Shift+click", help: "Put the start there; Alt+click puts the goal", act: () => {} },
  { keys: ["+", "="], shown: "+", help: "Closer", act: () => studio.camera.zoom(1.25) },
  { keys: ["-"], shown: "-", help: "Farther", act: () => studio.camera.zoom(0.8) },
  { keys: ["a"], shown: "a", help: "The whole world", act: () => studio.fit() },
  { keys: ["ArrowLeft"], shown: "←", help: "Look left, or steer the player of a game", act: move("left", 1, 0) },
  { keys: ["ArrowRight"], shown: "→", help: "Look or steer right", act: move("right", -1, 0) },
  { keys: ["ArrowUp"], shown: "↑", help: "Look or steer up", act: move("up", 0, 1) },
  { keys: ["ArrowDown"], shown: "↓", help: "Look or steer down", act: move("down", 0, -1) },
  { keys: ["?"], shown: "?", help: "This sheet", act: () => sheet.showModal() },
];
const sheet = helpSheet(keys);
document.body.append(sheet);
byId("help-button").onclick = () => sheet.showModal();
listen(keys);

// Measurements and tests reach the page from outside through this.
Object.assign(window, { portolan: { studio, tools, walk, game, crowd, minds, player } });
