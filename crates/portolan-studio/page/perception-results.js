// The results of the perceptual test as tables: how often each answer was given to each configuration, and what follows from that. Not
// here: working the figures out, which the server does.

import { count, el, table } from "./dom.js";

/** @typedef {import("./protocol").Figures} Figures */

/** What the thesis found, for comparison. */
const THESIS = {
  1: "The thesis: 20 people, a significant χ² (p = 0 as far as it prints).",
  2: "The thesis: 20 people, a significant χ² (p = 0 as far as it prints), and a rank correlation of 0.86.",
};
/** From this expected count on, the χ² test is trusted. */
const TRUSTED = 5;

/**
 * Writes a probability.
 * @param {number} p
 */
function probability(p) {
  if (p === 0) return "p < 10⁻³⁰⁰";
  if (p >= 0.001) return `p = ${p.toFixed(3)}`;
  const [digits, power] = p.toExponential(2).split("e-");
  return `p = ${digits}·10⁻${Array.from(power, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}

/** @param {number} value */
const signed = (value) => String(value).replace("-", "−");

/**
 * Makes the tables of both studies.
 * @param {Figures[]} experiments
 * @param {string[]} answers
 */
export const figures = (experiments, answers) => experiments.filter(({ judgements }) => judgements > 0).map((one) => figure(one, answers));

/**
 * @param {Figures} figures
 * @param {string[]} answers
 */
function figure({ experiment, participants, judgements, configurations, counts, independence, correlation }, answers) {
  const rows = counts.map((row, i) => {
    const [knowledge, delta, stretch] = configurations[i];
    return [`${i}: P ${knowledge} %, δ ${signed(delta)}, C ${stretch}`, ...row.map(String)];
  });
  const grid = table([["Configuration", ...answers], ...rows]);
  grid.querySelectorAll("tbody tr").forEach((row, i) => {
    const all = Math.max(1, counts[i].reduce((sum, some) => sum + some, 0));
    row.querySelectorAll("td").forEach((cell, j) => {
      if (j === 0) return;
      cell.dataset.count = String(counts[i][j - 1]);
      cell.style.setProperty("--share", String(counts[i][j - 1] / all));
      cell.title = `${((100 * counts[i][j - 1]) / all).toFixed(0)} % of the answers to this configuration`;
    });
  });
  const test = independence
    ? `χ² = ${independence.chi_squared.toFixed(2)} with ${independence.degrees} degrees of freedom, ${probability(independence.p)}.${independence.least_expected < TRUSTED ? ` The least expected count is ${independence.least_expected.toFixed(1)}; the test is trusted from ${TRUSTED} on.` : ""}`
    : "χ² needs at least two configurations and two different answers.";
  const order = correlation
    ? `Spearman's rank correlation of configuration and answer: rₛ = ${signed(Number(correlation.rho.toFixed(3)))}, ${probability(correlation.p)}.`
    : "A rank correlation needs at least three answers that differ.";
  const element = el("section", { class: "figures", "data-experiment": String(experiment) },
    el("h3", {}, `Experiment ${experiment}: ${count(participants)} ${participants === 1 ? "participant" : "participants"}, ${count(judgements)} answers`),
    el("div", { class: "scroll" }, grid),
    el("p", { class: "independence" }, test),
    el("p", { class: "correlation" }, order),
    el("p", { class: "faint" }, THESIS[experiment]));
  if (independence) Object.assign(element.dataset, { chi: String(independence.chi_squared), degrees: String(independence.degrees), p: String(independence.p) });
  if (correlation) element.dataset.rho = String(correlation.rho);
  return element;
}
