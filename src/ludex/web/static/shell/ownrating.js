// @ts-check
/** The effect of a finished match on the person's rating, loaded once it is over. */

import { api } from "./api.js";
import { mayCount } from "./standing.js";
import { worded } from "./texts.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */

export class OwnRating {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.version = 0;
    /** @type {(() => string) | null} in the language of the screen; null: nothing is known, or the match does not count */
    this.sentence = null;
  }

  /** @param {MatchView} match as it stands now */
  async follow(match) {
    if (match.version === this.version) return;
    this.version = match.version;
    this.sentence = null;
    if (match.live || !mayCount(match)) return;
    try {
      const [words, ratings] = await Promise.all([worded(import("./rating.js")), api.ratings(match.id)]);
      const board = words.boardOf(ratings, match.game, match.preset);
      if (this.version !== match.version || ratings.match !== "counted" || !board) return;
      this.sentence = () => words.ratingSentence(board);
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }
}
