/** A person's moves in a match: the legal ones, the one being sent, and its result; and what is known of earlier plies. */

import { ApiError, api } from "./api.js";
import { preferences } from "./preferences.js";

export class Moves {
  /** @param {OpenMatch} page */
  constructor(page) {
    this.page = page;
    /** Whether a change is on its way to the server. */
    this.busy = false;
    /** @type {MatchView | null} a state that came while a change was on its way */
    this.heard = null;
    /** @type {string | null} the move that is on its way */
    this.pending = null;
    /** @type {Map<string, Promise<Judgement>>} */
    this.judgements = new Map();
    /** @type {{ version: number, moves: LegalMove[] } | null} */
    this.legal = null;
  }

  /** @param {string} text */
  async play(text) {
    const { match, at, id } = this.page;
    if (this.busy || at !== null || !match.can.move) return;
    this.pending = text;
    await this.change(async () => {
      try {
        return await api.move(id, match.version, text);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "stale_match") throw error;
        // An offer of a draw is a new version of the same position.
        const now = await api.match(id);
        if (JSON.stringify(now.moves) !== JSON.stringify(match.moves)) throw error;
        return api.move(id, now.version, text);
      }
    });
  }

  async undo() {
    const { match, id } = this.page;
    if (match.can.undo) await this.change(() => api.undo(id, match.version));
  }

  /** One change at a time; a match that has changed meanwhile is shown as it is now. @param {() => Promise<MatchView>} change */
  async change(change) {
    if (this.busy) return;
    const { page } = this;
    this.busy = true;
    page.shell.redraw();
    try {
      const changed = await change();
      this.busy = false;
      this.pending = null;
      page.at = null;
      page.accept(this.newer(changed));
    } catch (error) {
      this.busy = false;
      this.pending = null;
      page.shell.fail(error);
      page.shell.redraw();
      if (this.heard) page.accept(this.newer(this.heard));
      if (error instanceof ApiError && error.status === 409) await page.reload();
    }
  }

  /**
   * Whether a state that the WebSocket brought waits for the answer to a change: the answer is the same state, and
   * drawing both would draw the board twice.
   * @param {MatchView} match
   */
  holds(match) {
    if (this.busy) this.heard = match;
    return this.busy;
  }

  /** The newer of a state and the one that waited. @param {MatchView} match @returns {MatchView} */
  newer(match) {
    const { heard } = this;
    this.heard = null;
    return heard && heard.version > match.version ? heard : match;
  }

  /** Whether a move would be taken as the match stands. @param {string} text @returns {Promise<Judgement>} */
  judge(text) {
    // A reason is in the language of the screen.
    const key = `${preferences.language} ${text}`;
    let judgement = this.judgements.get(key);
    if (!judgement) {
      judgement = api
        .judge(this.page.id, text)
        .then((trial) => ({ legal: trial.legal, message: trial.text?.[preferences.language] ?? trial.message }))
        .catch((error) => {
          this.judgements.delete(key);
          if (!(error instanceof ApiError)) throw error;
          return { legal: false, message: error.message };
        });
      this.judgements.set(key, judgement);
    }
    return judgement;
  }

  /** Load every legal move where the game is played from their list: nothing draws it. */
  async list() {
    const { match, id, shell } = this.page;
    if (this.page.draws(match) || !match.can.move || this.legal?.version === match.version) return;
    await shell.attempt(async () => {
      this.legal = await api.legal(id);
    });
  }

  /** Every legal move of the position shown, where they are known. @returns {LegalMove[] | null} */
  get listed() {
    const { match, at } = this.page;
    return this.legal && this.legal.version === match.version && at === null ? this.legal.moves : null;
  }
}

export class Past {
  constructor() {
    /** @type {Map<number, MatchView>} */
    this.views = new Map();
    /** @type {Map<number, Analysis>} */
    this.analyses = new Map();
    /** @type {MatchView["moves"]} */
    this.moves = [];
  }

  /** The match has changed: keep what lies before the first move that differs. @param {MatchView} match */
  follow(match) {
    const same = shared(this.moves, match.moves);
    for (const known of [this.views, this.analyses]) for (const ply of known.keys()) if (ply > same) known.delete(ply);
    this.moves = match.moves;
    if (match.analysis) this.learn(match.analysis);
  }

  /** An analysis replaces an earlier one, and only a final one replaces a final one. @param {Analysis} analysis */
  learn(analysis) {
    const known = this.analyses.get(analysis.ply);
    if (!known?.final || analysis.final) this.analyses.set(analysis.ply, analysis);
  }
}

/** @param {MatchView["moves"]} before @param {MatchView["moves"]} after @returns {number} */
function shared(before, after) {
  let ply = 0;
  while (ply < before.length && ply < after.length && before[ply]?.action === after[ply]?.action) ply += 1;
  return ply;
}
