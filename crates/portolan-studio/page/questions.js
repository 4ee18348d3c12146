// The questions to the server for a route, one at a time, and what is done with the answer. Not here: what is asked
// (studio.js), and how the answer is shown.

/** @typedef {import("./studio.js").Studio} Studio */
/** @typedef {import("./protocol").Finding} Finding */
/** @typedef {import("./frame.js").Parts} Parts */

/** How long the answer to a question is waited for that is no longer wanted, in milliseconds. */
const PATIENCE = 500;

/**
 * A question that is not answered yet.
 * @typedef {{ entrant: string, timer: ReturnType<typeof setTimeout> | undefined, isGivenUp: boolean }} Asking
 */

export class Questions {
  /** The question to ask when the present one is answered. @type {{ animate: boolean } | null} */
  #next = null;
  /** @type {Asking | null} */
  asking = null;

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
  }

  /** Forgets the questions, which will have no answer: the connection broke. */
  lose() {
    this.asking = this.#next = null;
  }

  /**
   * Asks for the route. While a question is not answered yet, only the latest of those that follow is kept; if it needs
   * another planner, the present question is soon given up. While agents are under way nothing is asked, except for a
   * search that is to be played (`animate`), which ends the walk.
   */
  async ask(animate = false) {
    const { studio } = this;
    if (studio.isWalking && animate) await studio.callHome();
    if (!studio.world || studio.isWalking) return;
    const entrant = JSON.stringify(studio.entrant);
    if (this.asking) {
      this.#next = { animate: animate || (this.#next?.animate ?? false) };
      if (this.asking.entrant !== entrant) this.hurry();
      return;
    }
    /** @type {Asking} */
    const asking = { entrant, timer: undefined, isGivenUp: false };
    this.asking = asking;
    const { from, to } = studio.scene;
    const answer = await studio.request({ do: "find", ...studio.entrant, from, to, nearest: studio.nearest, trace: true }, {}, undefined, asking);
    clearTimeout(asking.timer);
    this.asking = null;
    if (answer && !asking.isGivenUp) this.take(answer.head, answer.parts, animate, answer.head.built);
    const next = this.#next;
    this.#next = null;
    if (next) await this.ask(next.animate);
  }

  /** Gives up the present question unless it is answered soon: a large planner may have to be built for it. */
  hurry() {
    const asking = this.asking;
    if (!asking) return;
    asking.timer ??= setTimeout(() => {
      asking.isGivenUp = true;
      this.studio.link.cancel("find");
    }, PATIENCE);
  }

  /**
   * @param {Finding} finding
   * @param {Parts} parts
   * @param {boolean} animate
   * @param {boolean} hasNewChart
   */
  take(finding, parts, animate, hasNewChart) {
    const { studio } = this;
    studio.found = finding;
    const [view] = studio.views;
    view.route = parts.route ?? [];
    view.corridor = parts.corridor ?? [];
    view.routeFrom = 0;
    view.walked = [];
    view.trace = parts.events ? studio.trace(parts.events, parts.costs, view.trace) : null;
    if (!animate) view.trace?.seek(view.trace.length);
    studio.chart.legs = null;
    studio.tell("found", { hasNewChart });
    studio.showTrace(animate);
    studio.draw();
  }
}
