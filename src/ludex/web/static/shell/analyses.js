// @ts-check
/** What advisers are asked about the positions of a match. */

import { api } from "./api.js";
import { players } from "./players.js";
import { prefer, preferences } from "./preferences.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */

const HINT_MS = 1500;
const LINES = 5;

/** The way to a ply, to tell it from another. @param {MatchView["moves"]} moves @param {number} ply */
function line(moves, ply) {
  return moves.slice(0, ply).map((move) => move.action).join();
}

export class Analyses {
  /** @param {import("./match.js").default} page */
  constructor(page) {
    this.page = page;
    /** @type {number | null} the ply being analysed */
    this.ply = null;
    this.asked = 0;
    this.adviser = "";
  }

  /** Take the game's own analyst for adviser, or the first machine there is. */
  begin() {
    const able = this.advisers();
    this.adviser = able.find((agent) => agent.name === this.page.card?.analyst)?.name ?? able[0]?.name ?? "";
  }

  advisers() {
    const { card, match } = this.page;
    return card && match ? players(card, match.preset) : (card?.agents ?? []);
  }

  /** The adviser, asked for several lines where it can give them. */
  reference() {
    const options = this.advisers().find((agent) => agent.name === this.adviser)?.options.properties;
    return options && Object.hasOwn(options, "multipv") ? `${this.adviser}:multipv=${LINES}` : this.adviser;
  }

  /** @param {string} name */
  advise(name) {
    this.adviser = name;
    void this.analyse();
  }

  /** Whether an adviser may look at the position shown: not where a machine is at work on it, nor after the end. */
  get may() {
    const { shown, at } = this.page;
    const match = /** @type {MatchView} */ (this.page.match);
    const over = shown.ply === match.plies && !match.live;
    return match.can.analyse && this.adviser !== "" && !over && !(at === null && match.thinking);
  }

  /** An overlay of thoughts needs one of the position shown. */
  async follow() {
    const wanted = preferences.overlay === "candidates" || preferences.overlay === "heat";
    if (wanted && !this.page.thought && this.may && this.ply === null) await this.analyse();
  }

  async hint() {
    if (!this.may) return;
    const { page } = this;
    if (preferences.overlay === "none" || preferences.overlay === "legal") prefer({ overlay: "candidates" });
    await this.analyse();
    page.selected = page.thought ? 0 : null;
    page.shell.redraw();
    if (page.thought) page.shell.announce(page.thought.note || page.thought.text);
  }

  async analyse() {
    if (!this.may) return;
    const { past, shell, id } = this.page;
    const { ply } = this.page.shown;
    const moves = line(past.moves, ply);
    const asked = ++this.asked;
    this.ply = ply;
    shell.redraw();
    try {
      const thought = await api.analyse(id, { agent: this.reference(), ply, movetime_ms: HINT_MS });
      // Another adviser may have been asked meanwhile, or another way taken to this ply.
      if (asked === this.asked && line(past.moves, ply) === moves) past.learn(thought);
    } catch (error) {
      shell.fail(error);
    } finally {
      if (asked === this.asked) this.ply = null;
      shell.redraw();
    }
  }
}
