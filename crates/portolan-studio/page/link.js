// The connection to the server: sends commands, waits for answers, and connects again when the connection breaks. Not
// here: which commands are sent, and what is done when the connection is back.

import { decode, encode } from "./frame.js";

/** @typedef {import("./protocol").Answer} Answer */
/** @typedef {import("./frame.js").Parts} Parts */
/** @typedef {{ head: any, parts: Parts }} Message */
/** @typedef {{ done: (message: Message) => void, fail: (error: Error) => void, progress?: (head: any) => void }} Waiting */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

export class Link {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #next = 1;
  #pause = FIRST_PAUSE;

  /**
   * @param {string} address
   * @param {{ ready: (catalogue: import("./protocol").Catalogue) => void, lost: (retry: number) => void, fault: (message: string) => void }} hears
   */
  constructor(address, hears) {
    this.address = address;
    this.hears = hears;
    this.#call();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #call() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.#hear(decode(event.data));
    socket.onclose = () => {
      this.#socket = null;
      for (const { fail } of this.#waiting.values()) fail(new Error("the line to the server broke"));
      this.#waiting.clear();
      this.hears.lost(this.#pause);
      setTimeout(() => this.#call(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    };
    this.#socket = socket;
  }

  /** @param {Message} message */
  #hear({ head, parts }) {
    if (head.re === "catalogue") {
      this.#pause = FIRST_PAUSE;
      this.hears.ready(head);
      return;
    }
    const waiting = this.#waiting.get(head.id);
    if (head.re === "progress") {
      waiting?.progress?.(head);
      return;
    }
    this.#waiting.delete(head.id);
    if (head.re === "error") {
      if (waiting) waiting.fail(new Error(head.message));
      else this.hears.fault(head.message);
    } else {
      waiting?.done({ head, parts });
    }
  }

  /**
   * Sends a command and returns its answer when it comes; an error of the server is thrown with its message.
   * @param {object} command
   * @param {Parts} [parts]
   * @param {(head: import("./protocol").Progress) => void} [progress]
   * @returns {Promise<Message>}
   */
  ask(command, parts = {}, progress) {
    return new Promise((done, fail) => {
      if (!this.isOpen) return fail(new Error("there is no line to the server just now"));
      const id = this.#next++;
      this.#waiting.set(id, { done, fail, progress });
      this.#socket?.send(encode({ ...command, id }, parts));
    });
  }

  /**
   * Cancels all commands that are under way, or only those that ask for a route; each is still answered.
   * @param {"find"} [only]
   */
  cancel(only) {
    if (this.isOpen) this.#socket?.send(encode({ do: "cancel", only, id: this.#next++ }));
  }

  /** Breaks the connection, as a bad network would; it is then made anew. */
  drop() {
    this.#socket?.close();
  }
}
