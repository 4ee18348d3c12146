// Messages as bytes: a head of JSON and arrays of numbers, in the layout that protocol.d.ts describes. Not here: what
// any message means.

/** @typedef {import("./protocol").Kind} Kind */
/** @typedef {import("./protocol").Part} Part */
/** @typedef {Uint8Array | Uint16Array | Uint32Array | Float32Array} Numbers */
/** @typedef {Record<string, Numbers>} Parts */

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };

/** @param {number} at */
const aligned = (at) => (at + 3) & ~3;

/**
 * Reads a message. The arrays are views into it: nothing is copied, however long a trace is.
 * @param {string | ArrayBuffer} data
 * @returns {{ head: any, parts: Parts }}
 */
export function decode(data) {
  if (typeof data === "string") return { head: JSON.parse(data), parts: {} };
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  /** @type {Parts} */
  const parts = {};
  let at = aligned(4 + length);
  for (const [name, kind, count] of /** @type {Part[]} */ (head.parts ?? [])) {
    const Numbers = ARRAYS[kind];
    parts[name] = new Numbers(data, at, count);
    at = aligned(at + count * Numbers.BYTES_PER_ELEMENT);
  }
  return { head, parts };
}

/**
 * Writes a message.
 * @param {object} head
 * @param {Parts} parts
 * @returns {string | ArrayBuffer}
 */
export function encode(head, parts = {}) {
  const names = Object.keys(parts);
  if (names.length === 0) return JSON.stringify(head);
  const kindOf = (/** @type {Numbers} */ numbers) =>
    /** @type {Kind} */ (Object.entries(ARRAYS).find(([, Numbers]) => numbers instanceof Numbers)?.[0]);
  const list = names.map((name) => [name, kindOf(parts[name]), parts[name].length]);
  const text = new TextEncoder().encode(JSON.stringify({ ...head, parts: list }));
  const size = names.reduce((at, name) => aligned(at) + parts[name].byteLength, 4 + text.length);
  const bytes = new Uint8Array(aligned(size));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  let at = 4 + text.length;
  for (const name of names) {
    const numbers = parts[name];
    at = aligned(at);
    bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), at);
    at += numbers.byteLength;
  }
  return bytes.buffer;
}
