/** Has an agent analyse the positions of a match. */

import { api } from "./api.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

const SEARCH_MS = 1500;
const LINES = 5;

/** The moves up to a ply, as a key. @param {MatchView["moves"]} moves @param {number} ply */
function line(moves, ply) {
  return moves
    .slice(0, ply)
    .map((move) => move.action)
    .join();
}

export class Analyser {
  /** @param {OpenMatch} page */
  constructor(page) {
    this.page = page;
    /** @type {number | null} the ply being analysed */
    this.ply = null;
    /** Whether it is analysed for a hint. */
    this.hinting = false;
    this.request = 0;
    const able = this.advisers();
    /** The game's analyst, else its first agent. */
    this.adviser = able.find((agent) => agent.name === this.page.card?.analyst)?.name ?? able[0]?.name ?? "";
  }

  advisers() {
    const { card, able } = this.page;
    return card?.agents.filter((agent) => able.includes(agent.name)) ?? [];
  }

  /** The adviser's reference, with several lines where it supports them. */
  reference() {
    const options = this.advisers().find((agent) => agent.name === this.adviser)?.options.properties;
    return options && Object.hasOwn(options, "multipv") ? `${this.adviser}:multipv=${LINES}` : this.adviser;
  }

  /** @param {string} name */
  advise(name) {
    this.adviser = name;
    this.page.help("analysis", () => this.analyse());
  }

  /** Whether an engine may help in the match at all. */
  get helps() {
    return this.page.match.why.analyse !== "no_help";
  }

  /** Why there is no hint now; empty if there is one. */
  get whyNot() {
    const { match } = this.page;
    if (this.ply !== null) return say("analysing");
    if (!match.can.analyse) return this.page.why("analyse");
    return this.may ? "" : say(this.page.at === null && match.searching ? "no_searching" : "no_other");
  }

  /** Whether the position shown may be analysed: not while an agent searches it, nor after the end. */
  get may() {
    const { match } = this.page;
    return match.can.analyse && this.adviser !== "" && !this.over && !(this.page.at === null && match.searching);
  }

  /** Whether the last position of a finished match is shown, in which nothing is left to decide. */
  get over() {
    const { match, shown } = this.page;
    return !match.live && shown.ply === match.plies;
  }

  /** Analyse the position shown if the overlay needs it. */
  async follow() {
    const needsMore = this.page.overlay === "candidates" || this.page.overlay === "heat";
    if (needsMore && !this.page.analysis && this.may && this.ply === null) await this.analyse();
  }

  /** Show the best move of the position once: the next position has no hint. */
  async hint() {
    const { page } = this;
    if (!this.may || !(await this.analyse("hint"))) return;
    page.intent.hint = page.analysis;
    // The analyst of hints may be another one than was chosen: its name stands beside what it says.
    const name = page.analysis?.agent.split(":")[0];
    this.adviser = this.advisers().find((agent) => agent.name === name)?.name ?? this.adviser;
    page.shell.redraw();
  }

  /** Whether the game may say something of any place: where analyses are shown. */
  get mayExplain() {
    const { card, overlay } = this.page;
    return Boolean(card?.explains) && this.may && (overlay === "candidates" || overlay === "heat");
  }

  /** Whether there is an answer. @param {"hint" | "analysis"} [kind] what it is recorded as */
  async analyse(kind = "analysis") {
    if (!this.may) return false;
    const { past, shell, id } = this.page;
    const { ply } = this.page.shown;
    const moves = line(past.moves, ply);
    const request = ++this.request;
    this.ply = ply;
    this.hinting = kind === "hint";
    this.page.intent.retry = null;
    if (this.hinting) void this.page.use("advice").then(shell.redraw);
    shell.redraw();
    try {
      // A hint searches as the review does: neither contradicts the other.
      const [agent, movetime_ms] = kind === "hint" ? [null, 4 * SEARCH_MS] : [this.reference(), SEARCH_MS];
      const analysis = await api.analyse(id, { agent, ply, movetime_ms, kind });
      // Meanwhile another analysis may have begun, or the moves may have changed.
      if (request === this.request && line(past.moves, ply) === moves) past.learn(analysis);
      return true;
    } catch (error) {
      if (request === this.request)
        await this.page.failHelp(error, () => (kind === "hint" ? this.hint() : this.analyse()));
      return false;
    } finally {
      if (request === this.request) [this.ply, this.hinting] = [null, false];
      shell.redraw();
    }
  }
}
