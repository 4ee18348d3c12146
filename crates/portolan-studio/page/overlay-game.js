// Draws a level and the game on it: keys, doors, traps, monsters and what they see, influence, agents, the player. Not
// here: the ground and the routes of searches (overlay.js).

import { agent, route } from "./overlay.js";
import { crew, game as colours, palette } from "./palette.js";

/** @typedef {import("./overlay.js").Sheet} Sheet */
/** @typedef {import("./game.js").Shown} Shown */
/** @typedef {import("./grid.js").Cell} Cell */
/** @typedef {ArrayLike<number>} List */

/** Influence from which on the heat is strongest. */
const HOTTEST = 10;

/**
 * Fills the cells from one position of a list to another.
 * @param {Sheet} sheet
 * @param {List} cells
 * @param {string} colour
 * @param {number} strength
 * @param {number} from
 * @param {number} to
 */
function fill({ context, grid, px }, cells, colour, strength, from, to) {
  context.beginPath();
  for (let i = from; i + 1 < to; i += 2) grid.path(context, [cells[i], cells[i + 1], 1, 1], px);
  context.globalAlpha = strength;
  context.fillStyle = colour;
  context.fill();
  context.globalAlpha = 1;
}

/**
 * Writes a letter in the middle of a place. Letters that would be too small to read are left out.
 * @param {Sheet} sheet
 * @param {string} text
 * @param {[number, number]} at
 * @param {number} height in cells
 * @param {string} colour
 */
function letter({ context, px }, text, [x, y], height, colour) {
  if (height < 7 * px) return;
  context.save();
  context.translate(x, y);
  context.scale(px, px);
  context.font = `700 ${height / px}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, 0, (0.06 * height) / px);
  context.restore();
}

/**
 * Draws a shape with a halo around the middle of a cell.
 * @param {Sheet} sheet
 * @param {[number, number]} at
 * @param {(r: number) => void} trace adds the shape, of this radius, to the path
 * @param {string} colour
 */
function shape({ context, px }, at, trace, colour) {
  const r = Math.max(0.45, 7 * px);
  context.save();
  context.translate(...at);
  context.beginPath();
  trace(r);
  context.lineJoin = "round";
  context.strokeStyle = palette().halo;
  context.lineWidth = r * 0.5;
  context.stroke();
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = palette().ink;
  context.lineWidth = r * 0.14;
  context.stroke();
  context.restore();
}

/**
 * Draws a key, and the letter of its door on it.
 * @param {Sheet} sheet
 * @param {Cell} cell
 * @param {string} name
 */
function key(sheet, cell, name) {
  const { context, grid } = sheet;
  const [x, y] = grid.middle(...cell);
  shape(sheet, [x, y], (r) => {
    context.arc(-0.35 * r, 0, 0.62 * r, 0.4, 2 * Math.PI - 0.4);
    for (const [dx, dy] of [[1.1, -0.24], [1.1, 0.5], [0.8, 0.5], [0.8, 0.24], [0.22, 0.24]]) context.lineTo(dx * r, dy * r);
    context.closePath();
  }, colours().key);
  letter(sheet, name, [x - 0.16, y], 0.42, "#1c2431");
}

/**
 * Draws a door.
 * @param {Sheet} sheet
 * @param {Cell} cell
 * @param {string} name
 */
function door(sheet, cell, name) {
  const at = sheet.grid.middle(...cell);
  shape(sheet, at, (r) => sheet.context.rect(-r, -r, 2 * r, 2 * r), colours().door);
  letter(sheet, name, at, 0.7, "#fff");
}

/**
 * Draws a monster, which points in the direction in which it looks.
 * @param {Sheet} sheet
 * @param {Cell} cell
 * @param {string} name
 * @param {[number, number]} facing
 */
function monster(sheet, cell, name, facing) {
  const { context } = sheet;
  const at = sheet.grid.middle(...cell);
  const turn = Math.atan2(facing[1], facing[0]);
  shape(sheet, at, (r) => {
    context.arc(0, 0, r * 0.8, turn + 0.75, turn - 0.75 + 2 * Math.PI);
    context.lineTo(Math.cos(turn) * r * 1.45, Math.sin(turn) * r * 1.45);
    context.closePath();
  }, colours().monster);
  letter(sheet, name, at, 0.6, "#fff");
}

/**
 * Draws the player as a star.
 * @param {Sheet} sheet
 * @param {Cell} cell
 */
function player(sheet, cell) {
  shape(sheet, sheet.grid.middle(...cell), (r) => {
    for (let i = 0; i < 10; i++) {
      const [angle, far] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 === 0 ? 1.25 * r : 0.55 * r];
      sheet.context.lineTo(Math.cos(angle) * far, Math.sin(angle) * far);
    }
    sheet.context.closePath();
  }, colours().player);
}

/**
 * Draws what a drawing shows besides terrain, before a game has begun.
 * @param {Sheet} sheet
 * @param {List} entities column, row and character of each
 */
export function level(sheet, entities) {
  for (let i = 0; i + 2 < entities.length; i += 3) {
    const cell = /** @type {Cell} */ ([entities[i], entities[i + 1]]);
    const name = String.fromCharCode(entities[i + 2]);
    if (name >= "X" && name <= "Z") door(sheet, cell, name);
    else if (name >= "x") key(sheet, cell, name);
    else if (name === "o") player(sheet, cell);
    else if (name <= "j") monster(sheet, cell, name, [0, -1]);
    else {
      const at = sheet.grid.middle(...cell);
      shape(sheet, at, (r) => sheet.context.arc(0, 0, r, 0, 2 * Math.PI), palette().walked);
      letter(sheet, String(name.charCodeAt(0) - "o".charCodeAt(0)), at, 0.6, "#fff");
    }
  }
}

/**
 * Draws a game.
 * @param {Sheet} sheet
 * @param {Shown} shown
 */
export function game(sheet, { head, parts, show }) {
  if (show.heat) heat(sheet, parts.heat);
  if (show.sight) sights(sheet, head, parts);
  if (show.searchOf !== null) fill(sheet, parts.searched, crew()[show.searchOf], 0.3, 0, parts.searched.length);
  traps(sheet, parts.traps);
  routes(sheet, head, parts, show.routesOf);
  for (const pair of head.pairs) {
    door(sheet, pair.door, pair.letter.toUpperCase());
    key(sheet, pair.key, pair.letter);
  }
  followers(sheet, head, parts);
  for (const one of head.monsters) monster(sheet, one.at, one.letter, one.facing);
  agents(sheet, head);
  if (head.player) player(sheet, head.player.at);
}

/**
 * Draws traps as round pits, so that they are not taken for walls.
 * @param {Sheet} sheet
 * @param {List} cells
 */
function traps({ context, grid, px }, cells) {
  context.beginPath();
  for (let i = 0; i + 1 < cells.length; i += 2) {
    const [x, y] = grid.middle(cells[i], cells[i + 1]);
    context.moveTo(x + 0.38, y);
    context.arc(x, y, 0.38, 0, 2 * Math.PI);
  }
  context.fillStyle = colours().trap;
  context.fill();
  context.strokeStyle = colours().rim;
  context.lineWidth = Math.max(0.14, px);
  context.stroke();
}

/**
 * @param {Sheet} sheet
 * @param {List} cells column, row and influence of each
 */
function heat({ context, grid, px }, cells) {
  context.fillStyle = colours().heat;
  for (let i = 0; i + 2 < cells.length; i += 3) {
    context.beginPath();
    grid.path(context, [cells[i], cells[i + 1], 1, 1], px);
    context.globalAlpha = 0.15 + 0.6 * Math.min(1, cells[i + 2] / HOTTEST);
    context.fill();
  }
  context.globalAlpha = 1;
}

/**
 * Draws the cells that monsters see, stronger for those that chase.
 * @param {Sheet} sheet
 * @param {Shown["head"]} head
 * @param {Shown["parts"]} parts
 */
function sights(sheet, { monsters }, parts) {
  const ends = parts["sight-ends"];
  monsters.forEach(({ mood }, i) => fill(sheet, parts.sights, colours().monster, mood === "chasing" ? 0.4 : 0.2, i === 0 ? 0 : ends[i - 1], ends[i]));
}

/**
 * @param {Sheet} sheet
 * @param {Shown["head"]} head
 * @param {Shown["parts"]} parts
 * @param {number} wanted
 */
function routes(sheet, { agents: all }, parts, wanted) {
  const ends = parts["route-ends"];
  all.forEach((_, i) => {
    if (wanted !== -1 && wanted !== i) return;
    const from = i === 0 ? 0 : ends[i - 1] / 2;
    // Of routes that lie on each other, the wider ones below are still seen.
    const width = wanted === i ? 3.5 : 2 + 2 * (all.length - 1 - i);
    route(sheet, parts.routes, { colour: crew()[i], width, from, to: ends[i] / 2, bare: wanted !== i });
  });
}

/**
 * Draws followers as dots in the colours of their agents.
 * @param {Sheet} sheet
 * @param {Shown["head"]} head
 * @param {Shown["parts"]} parts
 */
function followers({ context, grid, px }, { agents: all }, parts) {
  const [cells, ends] = [parts.followers, parts["follower-ends"]];
  const r = Math.max(0.26, 3 * px);
  all.forEach((_, agent) => {
    context.beginPath();
    for (let i = agent === 0 ? 0 : ends[agent - 1]; i < ends[agent]; i += 2) {
      const [x, y] = grid.middle(cells[i], cells[i + 1]);
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
    context.fillStyle = crew()[agent];
    context.fill();
    context.strokeStyle = palette().halo;
    context.lineWidth = Math.max(0.06, px);
    context.stroke();
  });
}

/**
 * Draws the agents. Those on one cell stand around its middle; those that wait are pale.
 * @param {Sheet} sheet
 * @param {Shown["head"]} head
 */
function agents(sheet, { agents: all }) {
  all.forEach(({ at, state }, i) => {
    const together = all.flatMap((other, j) => (other.at[0] === at[0] && other.at[1] === at[1] ? [j] : []));
    const angle = (together.indexOf(i) / together.length) * 2 * Math.PI - Math.PI / 2;
    const aside = together.length > 1 ? Math.max(0.4, 8 * sheet.px) : 0;
    const [mx, my] = sheet.grid.middle(...at);
    const [x, y] = [mx + Math.cos(angle) * aside, my + Math.sin(angle) * aside];
    sheet.context.globalAlpha = state === "waiting" ? 0.6 : 1;
    agent(sheet, { x, y, isStuck: false }, crew()[i]);
    sheet.context.globalAlpha = 1;
    letter(sheet, String(i + 1), [x, y], Math.max(0.6, 11 * sheet.px), palette().halo);
  });
}
