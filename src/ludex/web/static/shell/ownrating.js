// @ts-check
/** The effect of a finished match on the person's rating, loaded once it is over. */

import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { mayCount } from "./standing.js";

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
      const ratings = await api.ratings(match.id);
      const board = ratings.boards.find((one) => one.game === match.game && one.preset === match.preset);
      const sentence = board?.sentence;
      if (this.version !== match.version || ratings.match !== "counted" || !sentence) return;
      this.sentence = () => sentence[preferences.language];
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }
}
