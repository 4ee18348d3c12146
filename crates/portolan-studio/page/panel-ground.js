// The panel about what a world has besides weights: kinds of ground, borders and links; and about agents of several sizes, what they see
// and where they may go.

import { BORDERS } from "./between.js";
import { count, el, labelled, select, size, tick, time } from "./dom.js";
import { kindColour } from "./palette.js";

/** @typedef {import("./studio.js").Studio} Studio */

/**
 * @param {Studio} studio
 * @param {import("./tools.js").Tools} tools
 */
export function groundPanel(studio, tools) {
  const { between: options } = tools;
  const legend = el("div", { id: "kinds-legend" }), drawn = el("div", {}), told = el("p", { class: "faint", id: "between-about" });
  const HELP = { open: "opens borders", closed: "nothing crosses", out: "crossed only away from where you draw", in: "crossed only towards where you draw" };
  const border = select(BORDERS.map((name) => [name, `${name}: ${HELP[name]}`]), "closed", (name) => (options.border = BORDERS.indexOf(/** @type {any} */ (name))), { id: "border-kind" });
  const cost = el("input", { type: "number", id: "link-cost", min: "1", step: "1", value: String(options.cost) });
  cost.addEventListener("change", () => (options.cost = Math.max(1, Math.round(cost.valueAsNumber) || 1)));
  const profile = el("input", { type: "text", id: "profile", placeholder: "water=no,forest=x2", "aria-label": "Kinds of ground" });
  const body = el("input", { type: "number", id: "body", min: "1", max: "16", step: "1", value: "1" });
  const forbidden = el("div", { id: "forbidden" });
  const about = el("p", { class: "faint", id: "look-about" });

  const words = () => {
    const large = Math.max(1, Math.round(body.valueAsNumber) || 1);
    const isHex = Boolean(studio.world?.grid);
    const boxes = [...forbidden.querySelectorAll("input")].filter((box) => box.checked).map((box) => `${box.value}=no`);
    return [large > 1 && (isHex ? `radius=${large - 1}` : `size=${large}`), ...boxes, profile.value.trim()].filter(Boolean).join(",");
  };
  const look = () => void studio.look.as(words());
  body.addEventListener("change", look);
  profile.addEventListener("change", look);

  const showKinds = () => {
    const { ground, between } = studio.scene;
    if (!ground) return;
    const kinds = ground.kindsThere();
    const name = (/** @type {number} */ kind) => between.names.get(kind) ?? String(kind);
    legend.replaceChildren(...kinds.map((kind) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = kindColour(kind);
      return el("span", { class: "key", "data-kind": String(kind) }, swatch, name(kind));
    }), kinds.length === 0 ? el("span", { class: "faint" }, "All ground is of one kind.") : "");
    const all = [...new Set([0, ...between.names.keys(), ...kinds])];
    drawn.replaceChildren(labelled("Draw ground of", select(all.map((kind) => [String(kind), name(kind)]), String(tools.kind), (kind) => (tools.kind = Number(kind)), { id: "draw-kind" }), "The kind that brushes and shapes give to ground"));
    const chosen = [...forbidden.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
    forbidden.replaceChildren(...kinds.map((kind) => tick(`not on ${name(kind)}`, chosen.includes(name(kind)), look, { value: name(kind), id: `forbid-${name(kind)}` })));
    const walls = between.borders.filter(({ border }) => border === 1).length;
    told.textContent = `${count(walls)} closed borders, ${count(between.borders.length - walls)} one way, ${count(between.links.length)} links${between.floors ? `, ${between.floors.count} floors of ${between.floors.width} × ${between.floors.height}` : ""}.`;
  };
  studio.on("world", () => {
    [body.value, profile.value, tools.kind] = ["1", "", 0];
    forbidden.replaceChildren();
    showKinds();
  });
  studio.on("edited", showKinds);
  studio.on("theme", showKinds);
  studio.on("look", () => {
    const { field, sizes } = studio.look;
    about.textContent = field ? `From every cell to the goal in ${time(field.us)}; ${size(field.bytes)}. Come closer to see arrows.` : sizes ? "The largest body that fits, from one cell (dark) to nine (light). Come closer to see numbers." : "";
  });
  return el("div", {},
    el("h3", {}, "Kinds of ground"), legend, drawn,
    el("h3", {}, "Between cells"), told,
    labelled("Border", border, "What the border tool makes: drag it along the sides of cells (e)"),
    labelled("Cost of a link", cost, "What the link tool makes: drag it from cell to cell (k)"),
    tick("One way only", options.isOneWay, (is) => (options.isOneWay = is), { id: "link-one-way" }),
    tick("The link tool removes the links of a cell", options.removes, (is) => (options.removes = is), { id: "link-removes" }),
    el("h3", {}, "The agent"),
    labelled("Size", body, "Cells on each side of the agent; of hexes, how far it reaches from its middle, and one"),
    forbidden, labelled("Ground", profile, "What kinds of ground are to it: water=no, forest=3, road=x0.5, with commas"),
    labelled("Show", select([["none", "the world"], ["field", "the field of the goal"], ["clearance", "how large a body fits"]], "none", (what) => void studio.look.show(/** @type {any} */ (what)), { id: "look" })), about);
}
