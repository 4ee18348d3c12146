// The panel in which a game of keys and doors is set up and played, and in which the work of its agents is counted goal by
// goal.

import { button, count, el, labelled, select, table, tick, time } from "./dom.js";
import { crew } from "./palette.js";
import { pace } from "./panel-walk.js";

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./protocol").Effort} Effort */

/** The agents that are chosen first: those of the report that the game comes from. */
const FIRST = ["a-star", "d-star", "focused-d-star", "d-star-lite"];
/** The rows of the table: a name, the value of a goal, and how the sum over goals is written. */
const ROWS = /** @type {[string, (work: Effort) => number, (sum: number) => string][]} */ ([
  ["Inserts", ({ inserts }) => inserts, count],
  ["Removes", ({ removes }) => removes, count],
  ["Expanded", ({ expanded }) => expanded, count],
  ["Steps", ({ steps }) => steps, count],
  ["Cost", ({ cost }) => cost, (sum) => sum.toFixed(1)],
  ["Time", ({ us }) => us, time],
]);

/**
 * Makes a field for a number.
 * @param {string} id
 * @param {number} value
 * @param {Record<string, string>} props
 */
const field = (id, value, props) => el("input", { type: "number", id, value: String(value), ...props });

/**
 * @param {Studio} studio
 * @param {Game} game
 */
export function gamePanel(studio, game) {
  const crewBox = chooser(studio);
  const traps = field("game-traps", 5, { min: "0", max: "100", step: "any" });
  const every = field("game-every", 20, { min: "1", step: "1" });
  const seed = field("game-seed", 1, { min: "0", step: "1" });
  const followers = field("game-followers", 0, { min: "0", max: "50", step: "1" });
  const modes = {
    formation: select([["file", "in a file"], ["flock", "as a flock"]], "file", () => {}, { id: "game-formation" }),
    obstructed: select([["walk-on", "walk on"], ["stop", "stop at once"]], "walk-on", () => {}, { id: "game-obstructed" }),
  };
  const flags = { monsters: true, catching: false, influence: false };
  const flag = (/** @type {keyof typeof flags} */ name, /** @type {string} */ text) => tick(text, flags[name], (is) => (flags[name] = is), { id: `game-${name}` });

  const setUp = el("details", { id: "game-set-up", open: true }, el("summary", {}, "Set the game up"),
    crewBox.element,
    labelled("Traps, %", traps, "The most traps at once, in percent of the free cells"),
    labelled("Every … ticks", every, "How often traps vanish and appear"), labelled("Seed", seed),
    labelled("Followers", followers, "How many characters each agent leads"), labelled("They follow", modes.formation),
    labelled("Cut off, agents", modes.obstructed, "What an agent does while there is no way to its goal: walk on along its old way until that is blocked, or stop"),
    el("div", { class: "ticks" }, flag("monsters", "Monsters"), flag("catching", "Monsters catch"), flag("influence", "Influence")));
  const fault = el("p", { id: "game-fault", role: "status" });
  const chosenModes = () => ({
    formation: /** @type {"file" | "flock"} */ (modes.formation.value),
    obstructed: /** @type {"walk-on" | "stop"} */ (modes.obstructed.value),
  });
  const begin = async () => {
    const agents = crewBox.chosen().map((algorithm) => ({ algorithm, settings: studio.settings[algorithm] ?? {} }));
    const asked = { agents, traps: traps.valueAsNumber, every: every.valueAsNumber, seed: seed.valueAsNumber, ...flags, followers: followers.valueAsNumber, ...chosenModes() };
    const isWhole = (/** @type {number} */ value, /** @type {number} */ least) => Number.isSafeInteger(value) && value >= least;
    if (agents.length === 0) return studio.say("A game needs an agent: tick an algorithm.", true);
    if (!Number.isFinite(asked.traps)) return studio.say("Traps are a number of percent, from 0 to 100.", true);
    if (!isWhole(asked.every, 1)) return studio.say("Traps are updated every whole number of ticks, 1 or more.", true);
    if (!isWhole(asked.seed, 0)) return studio.say("A seed is a whole number, 0 or more.", true);
    if (!isWhole(asked.followers, 0)) return studio.say("Followers are a whole number, 0 or more.", true);
    if (await game.start(asked)) game.run();
  };
  const go = button("Play", () => (game.isOn && !game.isDone ? game.toggle() : void begin()), { id: "game", class: "main", title: "Begin, or pause (Space)" });
  const board = scoreboard(game);

  const showWorld = () => {
    const info = studio.world?.level;
    fault.textContent = info ? info.fault ?? "" : "This world is no level: a game needs a drawing with keys and doors. Open keep, dungeon, meadow or realm in the World panel.";
    fault.hidden = fault.textContent === "";
    go.disabled = !info || info.fault !== null;
  };
  studio.on("world", showWorld);
  showWorld();
  /** The game whose options the fields show. @type {import("./protocol").PlayOptions | null} */
  let known = null;
  const showOptions = () => {
    const asked = studio.scene.game?.asked ?? null;
    if (!asked || asked === known) return;
    known = asked;
    [traps.value, every.value, seed.value, followers.value] = [asked.traps, asked.every, asked.seed, asked.followers].map(String);
    [modes.formation.value, modes.obstructed.value] = [asked.formation, asked.obstructed];
    for (const name of /** @type {(keyof typeof flags)[]} */ (Object.keys(flags))) {
      flags[name] = asked[name];
      const box = setUp.querySelector(`#game-${name}`);
      if (box instanceof HTMLInputElement) box.checked = asked[name];
    }
    for (const { algorithm, settings } of asked.agents) studio.settings[algorithm] = settings;
    crewBox.choose(asked.agents.map(({ algorithm }) => algorithm));
    setUp.open = false;
  };
  const show = () => {
    showOptions();
    go.textContent = game.isOn && !game.isDone ? (game.isRunning ? "Pause" : "Go on") : "Play";
    board.show();
  };
  game.watch(show);
  studio.on("theme", show);
  const repaint = () => studio.draw();
  return el("div", {},
    el("p", { class: "faint" }, "Agents fetch keys and open doors in their order, each with its own search, while traps come and go. The star is the player: steer it with the arrow keys."),
    fault, setUp,
    el("div", { class: "buttons" }, go,
      button("Step", () => void game.step(), { id: "game-step", title: "One tick (.)" }),
      button("End", () => void game.end(), { id: "game-end" })),
    pace(game, "game-pace"),
    el("div", { class: "ticks" },
      tick("Heat of influence", game.show.heat, (is) => (game.show.heat = is, repaint()), { id: "game-heat" }),
      tick("Monsters’ sight", game.show.sight, (is) => (game.show.sight = is, repaint()), { id: "game-sight" })),
    board.element);
}

/**
 * Makes the list in which agents are chosen.
 * @param {Studio} studio
 */
function chooser(studio) {
  /** @type {Set<string>} */
  const wanted = new Set(FIRST);
  const boxes = el("div", { class: "ticks" });
  const summary = el("summary", {});
  const suits = (/** @type {string} */ name) => studio.world !== null && !("needs" in (studio.world.promises[name] ?? {}));
  const chosen = () => (studio.catalogue?.algorithms ?? []).map(({ name }) => name).filter((name) => wanted.has(name) && suits(name));
  const name = () => (summary.textContent = `Agents: ${chosen().join(", ") || "none"}`);
  const show = () => {
    const most = studio.catalogue?.limits.crew ?? 0;
    boxes.replaceChildren(...(studio.catalogue?.algorithms ?? []).filter((one) => suits(one.name)).map((one) =>
      tick(one.name, wanted.has(one.name), (is) => {
        if (is) wanted.add(one.name);
        else wanted.delete(one.name);
        if (chosen().length > most) {
          wanted.delete(one.name);
          studio.say(`At most ${most} agents play at a time.`, true);
          show();
        }
        name();
      }, { "data-agent": one.name })));
    name();
  };
  const choose = (/** @type {string[]} */ names) => {
    wanted.clear();
    for (const one of names) wanted.add(one);
    show();
  };
  studio.on("world", show);
  return { element: el("details", { id: "game-agents" }, summary, boxes), chosen, choose };
}

/**
 * Makes the table that compares the agents, and the lists of what it and the panes show.
 * @param {Game} game
 */
function scoreboard(game) {
  /** The goal whose work is shown, or -1 for all together. */
  let goal = -1;
  let layout = "";
  const lists = el("div", {});
  const state = el("p", { id: "game-state" });
  const shown = el("div", { id: "game-table" });

  const lay = (/** @type {import("./protocol").Played} */ { agents, pairs }) => {
    const now = JSON.stringify([agents.map(({ name }) => name), pairs]);
    if (now === layout) return;
    layout = now;
    if (game.show.routesOf >= agents.length) game.show.routesOf = -1;
    if ((game.show.searchOf ?? 0) >= agents.length) game.show.searchOf = null;
    const named = agents.map(({ name }, i) => /** @type {[string, string]} */ ([String(i), `${i + 1} ${name}`]));
    if (goal >= 2 * pairs.length) goal = -1;
    const goals = pairs.flatMap(({ letter }, i) => [[String(2 * i), `key ${letter}`], [String(2 * i + 1), `door ${letter.toUpperCase()}`]]);
    lists.replaceChildren(
      labelled("Routes of", select([["-1", "all agents"], ["-2", "no agent"], ...named], String(game.show.routesOf), (value) => {
        game.show.routesOf = Number(value);
        game.studio.draw();
      }, { id: "game-routes" })),
      labelled("Search of", select([["", "no agent"], ...named], String(game.show.searchOf ?? ""), (value) => void game.showSearch(value === "" ? null : Number(value)), { id: "game-search" }), "Shades the cells that the latest search of an agent has expanded"),
      labelled("Work for", select([["-1", "all goals"], .../** @type {[string, string][]} */ (goals)], String(goal), (value) => (goal = Number(value), show()), { id: "game-goal" })));
  };
  const show = () => {
    const { head } = game;
    lists.hidden = !head;
    if (!head) return state.replaceChildren(), shown.replaceChildren();
    lay(head);
    const { player, pairs } = head;
    const target = (/** @type {number} */ at) => (at >= 2 * pairs.length ? "none" : at % 2 === 0 ? `key ${pairs[at / 2].letter}` : `door ${pairs[(at - 1) / 2].letter.toUpperCase()}`);
    const sum = (/** @type {Effort[]} */ goals, /** @type {(work: Effort) => number} */ value) => (goal < 0 ? goals : [goals[goal]]).reduce((all, work) => all + value(work), 0);
    const you = player ? ` · you: ${player.keys} of ${pairs.length} keys, ${player.opened} doors${player.caught > 0 ? `, caught ${player.caught} times` : ""}${game.isBlocked ? " · no way there" : ""}` : "";
    state.textContent = `Tick ${head.tick}${head.done ? ", every agent is done" : ""}${you}`;
    const grid = table([
      ["", ...head.agents.map(({ name }, i) => `${i + 1} ${name}`)],
      ["State", ...head.agents.map((agent) => agent.state)],
      ["Goal", ...head.agents.map((agent) => target(agent.goal))],
      ...ROWS.map(([name, value, text]) => [name, ...head.agents.map(({ goals }) => text(sum(goals, value)))]),
    ]);
    grid.querySelectorAll("th").forEach((cell, i) => i > 0 && cell.style.setProperty("--mark", crew()[i - 1]));
    Object.assign(grid.dataset, { tick: String(head.tick), done: String(head.done) });
    shown.replaceChildren(grid);
  };
  show();
  return { element: el("div", {}, lists, state, shown), show };
}
