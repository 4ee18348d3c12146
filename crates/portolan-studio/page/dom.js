// Functions that make elements in few words. Not here: anything about worlds and searches.

/**
 * Makes an element with properties and children. `class`, `for`, `role` and names with a dash are attributes; functions
 * under `on…` listen.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name === "for" || name === "role" || name.includes("-")) {
      element.setAttribute(name, value === true ? "" : value);
    } else Object.assign(element, { [name]: value });
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/**
 * Returns the element of that id, and throws if the page has none.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @returns {E}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {E} */ (found);
}

/**
 * Makes a button.
 * @param {string | Node} text
 * @param {() => void} act
 * @param {Record<string, any>} [props]
 */
export const button = (text, act, props = {}) => el("button", { type: "button", onclick: act, ...props }, text);

/**
 * Makes a row with a control and its label.
 * @param {string} text
 * @param {HTMLElement & { id: string }} control
 * @param {string} [help]
 */
export function labelled(text, control, help) {
  if (!control.id) control.id = `c${++labelled.count}`;
  if (help) control.title = help;
  return el("div", { class: "row" }, el("label", { for: control.id, title: help }, text), control);
}
labelled.count = 0;

/**
 * Makes a list to choose from.
 * @param {(string | [value: string, text: string])[]} options
 * @param {string} chosen
 * @param {(value: string) => void} act
 * @param {Record<string, any>} [props]
 */
export function select(options, chosen, act, props = {}) {
  const list = el("select", props, ...options.map((option) => {
    const [value, text] = typeof option === "string" ? [option, option] : option;
    return el("option", { value, selected: value === chosen }, text);
  }));
  list.addEventListener("change", () => act(list.value));
  return list;
}

/**
 * Makes a box to tick.
 * @param {string} text
 * @param {boolean} checked
 * @param {(checked: boolean) => void} act
 * @param {Record<string, any>} [props]
 */
export function tick(text, checked, act, props = {}) {
  const box = el("input", { type: "checkbox", checked, ...props });
  box.addEventListener("change", () => act(box.checked));
  return el("label", { class: "tick" }, box, text);
}

/**
 * Makes a table from rows of text; the first row is its head.
 * @param {(string | Node)[][]} rows
 * @param {Record<string, any>} [props]
 */
export function table([head, ...rows], props = {}) {
  const line = (/** @type {"td" | "th"} */ tag, /** @type {(string | Node)[]} */ cells) => el("tr", {}, ...cells.map((cell) => el(tag, {}, cell)));
  return el("table", props, el("thead", {}, line("th", head)), el("tbody", {}, ...rows.map((row) => line("td", row))));
}

/**
 * Lets the browser save bytes as a file.
 * @param {string} name
 * @param {BlobPart} bytes
 * @param {string} [type]
 */
export function download(name, bytes, type = "application/octet-stream") {
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {number} us */
export function time(us) {
  if (us < 10) return `${us.toFixed(1)} µs`;
  if (us < 1000) return `${us.toFixed(0)} µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e4 ? 2 : 1)} ms`;
  return `${(us / 1e6).toFixed(2)} s`;
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(0)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** @param {number} value */
export const count = (value) => value.toLocaleString("en-GB");
