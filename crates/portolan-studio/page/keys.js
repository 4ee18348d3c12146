// The keys that the page listens to, and the sheet that lists them.

import { button, el } from "./dom.js";

/** @typedef {{ keys: string[], shown: string, help: string, act: () => void }} Key What is shown may stand for several keys; the others then show nothing. */

/**
 * Listens for keys, except while a person types into a field.
 * @param {Key[]} list
 */
export function listen(list) {
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]")) return;
    const isTyping = target.matches?.("input[type=number], input[type=text], select, textarea");
    const isPressing = target.matches?.("button, summary, input") && (event.key === " " || event.key === "Enter");
    if (isTyping || isPressing || event.altKey) return;
    // Sliders and tabs use the arrow keys themselves.
    if (target.matches?.("input[type=range], [role=tab]") && event.key.startsWith("Arrow")) return;
    const name = `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
    const wanted = event.shiftKey && (event.ctrlKey || event.metaKey) ? name.replace("Ctrl+", "Ctrl+Shift+") : name;
    const key = list.find(({ keys }) => keys.includes(wanted));
    if (!key) return;
    event.preventDefault();
    key.act();
  });
}

/**
 * Makes the sheet that lists the keys.
 * @param {Key[]} list
 */
export function helpSheet(list) {
  const dialog = el("dialog", { id: "help", "aria-label": "Keys" },
    el("h2", {}, "Portolan studio"),
    el("p", {}, "Drag the round start and the square goal. Draw with the tools on the left. Run a search, then scrub through it. Wheel or pinch to zoom; drag with the right button, or with the hand, to move."),
    el("table", {}, el("tbody", {}, ...list.filter(({ shown }) => shown).map(({ shown, help }) => el("tr", {}, el("td", {}, el("kbd", {}, shown)), el("td", {}, help))))),
    el("div", { class: "buttons" }, button("Close", () => dialog.close(), { autofocus: true })));
  return dialog;
}
