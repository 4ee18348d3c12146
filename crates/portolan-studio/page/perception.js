// The page of the perceptual test: it shows the paths of a study one after another, takes the answers, and shows what follows from them.
// Not here: the picture (perception-picture.js), the tables (perception-results.js), and statistics, which the server works out.

import { byId, button, download, el } from "./dom.js";
import { Link } from "./link.js";
import { Picture } from "./perception-picture.js";
import { figures } from "./perception-results.js";

/** @typedef {import("./protocol").Staged} Staged */
/** @typedef {import("./protocol").Taken} Taken */

/**
 * The paths that the present participant sees.
 * @typedef {{ head: Staged, worlds: { width: number, height: number, weights: Uint8Array }[], walks: ArrayLike<number>[], taken: Taken }} Sitting
 */

const SECTIONS = /** @type {const} */ (["intro", "trial", "results"]);
const message = byId("message");
const picture = new Picture(/** @type {HTMLCanvasElement} */ (byId("picture")));
const experiment = /** @type {HTMLSelectElement} */ (byId("experiment"));
const participant = /** @type {HTMLInputElement} */ (byId("participant"));
const picker = /** @type {HTMLInputElement} */ (byId("files"));

/** @type {Sitting | null} */
let sitting = null;
/** What was answered on this page. @type {Taken[]} */
const taken = [];
/** The files of earlier participants. @type {{ name: string, bytes: Uint8Array }[]} */
const files = [];
/** All answers as CSV, as the server writes it. @type {Uint8Array | null} */
let csv = null;
let isSaved = true;
let answers = ["very little", "a bit", "quite well", "extremely well"];

const link = new Link(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, {
  ready: () => {
    byId("line").textContent = "";
    if (document.body.dataset.stage === "opening") show("intro");
  },
  lost: () => (byId("line").textContent = "The line to the server is broken; calling again…"),
  fault: say,
});

/** @param {string} text */
function say(text) {
  message.textContent = text;
  message.className = text ? "bad" : "";
  message.hidden = text === "";
}

/**
 * Sends a command. If that fails, shows why and returns null.
 * @param {object} command
 * @param {import("./frame.js").Parts} [parts]
 */
async function request(command, parts) {
  try {
    const answer = await link.ask(command, parts);
    say("");
    return answer;
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    return null;
  }
}

/** @param {typeof SECTIONS[number]} stage */
function show(stage) {
  document.body.dataset.stage = stage;
  for (const name of SECTIONS) byId(name).hidden = name !== stage;
}

// ---- Taking part ----

/** @param {number} seed */
async function begin(seed) {
  const name = participant.value.trim();
  const number = experiment.value === "2" ? 2 : 1;
  if (!name) return say("Say who takes part: a name or a number.");
  if (taken.some((one) => one.participant === name && one.experiment === number)) return say(`${name} has taken part in experiment ${number} already: choose another name or number.`);
  const answer = await request({ do: "trials", experiment: number, seed });
  if (!answer) return;
  const head = /** @type {Staged} */ (answer.head);
  const { walks, "walk-ends": ends } = answer.parts;
  answers = head.answers;
  sitting = {
    head,
    worlds: head.environments.map(({ width, height }, i) => ({ width, height, weights: /** @type {Uint8Array} */ (answer.parts[`weights${i}`]) })),
    walks: head.trials.map((_, i) => walks.slice(i === 0 ? 0 : ends[i - 1], ends[i])),
    taken: { participant: name, experiment: number, seed, answers: [] },
  };
  show("trial");
  showTrial();
}

function showTrial() {
  if (!sitting) return;
  const { head, worlds, walks, taken: { answers: given } } = sitting;
  const at = given.length;
  byId("number").textContent = `Path ${at + 1} of ${head.trials.length}`;
  /** @type {HTMLProgressElement} */ (byId("progress")).value = at;
  /** @type {HTMLButtonElement} */ (byId("back")).disabled = at === 0;
  byId("answers").replaceChildren(...answers.map((text, i) => {
    const choice = button(text, () => void judge(i), { "data-answer": String(i) });
    choice.prepend(el("kbd", { "aria-hidden": "true" }, String(i + 1)));
    return choice;
  }));
  picture.show(worlds[head.trials[at].environment], walks[at]);
}

/** @param {number} answer */
async function judge(answer) {
  if (!sitting) return;
  sitting.taken.answers.push(answer);
  isSaved = false;
  if (sitting.taken.answers.length < sitting.head.trials.length) return showTrial();
  await stop();
}

function takeBack() {
  if (!sitting || sitting.taken.answers.length === 0) return;
  sitting.taken.answers.pop();
  showTrial();
}

/** Ends the present participant's turn; what was answered so far is kept. */
async function stop() {
  if (!sitting) return;
  if (sitting.taken.answers.length > 0) taken.push(sitting.taken);
  sitting = null;
  await showResults();
}

// ---- Results ----

async function showResults() {
  show("results");
  const parts = Object.fromEntries(files.map(({ bytes }, i) => [`file${i}`, bytes]));
  const answer = await request({ do: "judge", files: files.map(({ name }) => name), taken }, parts);
  if (!answer) return false;
  csv = /** @type {Uint8Array} */ (answer.parts.csv);
  const { experiments } = /** @type {import("./protocol").Judged} */ (answer.head);
  const tables = figures(experiments, answers);
  byId("figures").replaceChildren(...(tables.length > 0 ? tables : [el("p", { class: "faint" }, "There are no answers yet. Take part, or add the results of earlier participants.")]));
  byId("sources").textContent = `${taken.length} on this page, ${files.length} ${files.length === 1 ? "file" : "files"}`;
  return true;
}

picker.addEventListener("change", async () => {
  const added = await Promise.all(Array.from(picker.files ?? [], async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  picker.value = "";
  files.push(...added);
  if (await showResults()) return;
  // What is wrong with a file is shown, and the results stay as they were.
  const why = message.textContent ?? "";
  files.splice(files.length - added.length);
  await showResults();
  say(why);
});

byId("add").onclick = () => picker.click();
byId("save").onclick = () => {
  if (!csv) return;
  download("perception.csv", /** @type {Uint8Array<ArrayBuffer>} */ (csv), "text/csv");
  isSaved = true;
};
byId("next").onclick = () => {
  const number = Number(participant.value);
  if (taken.some((one) => one.participant === participant.value.trim()) && Number.isSafeInteger(number)) participant.value = String(number + 1);
  show("intro");
  participant.focus();
};
byId("to-results").onclick = () => void showResults();
byId("back").onclick = takeBack;
byId("stop").onclick = () => void stop();
byId("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  void begin(seed);
});
addEventListener("keydown", (event) => {
  if (!sitting || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const answer = Number(event.key) - 1;
  if (Number.isInteger(answer) && answer >= 0 && answer < answers.length) void judge(answer);
  else if (event.key === "Backspace") takeBack();
  else return;
  event.preventDefault();
});
addEventListener("beforeunload", (event) => {
  if (!isSaved) event.preventDefault();
});

// Tests reach the page from outside through this.
Object.assign(window, { perception: { begin, taken, files, get sitting() { return sitting; } } });
