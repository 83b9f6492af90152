// @ts-check
/** The effect of a finished match on the person's rating, and the next difficulty, loaded once it is over. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { preferences } from "./preferences.js";
import { mayCount } from "./standing.js";
import { texts } from "./texts.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */

const say = texts("match", "page");

export class OwnRating {
  /** @param {import("../types/page.js").Shell} shell */
  constructor(shell) {
    this.shell = shell;
    this.version = 0;
    /** @type {(() => string) | null} in the language of the screen; null: nothing is known, or the match does not count */
    this.sentence = null;
    /** @type {Record<string, string> | null} how sure it is */
    this.details = null;
    /** @type {(() => unknown) | null} a match at another difficulty, where the results suggest one */
    this.offer = null;
  }

  /** @param {MatchView} match as it stands now */
  async follow(match) {
    if (match.version === this.version) return;
    this.version = match.version;
    this.sentence = null;
    this.offer = null;
    this.details = null;
    if (match.live || !mayCount(match)) return;
    try {
      const [ratings, { offers }] = await Promise.all([api.ratings(match.id), api.levelOffers()]);
      const suggested = offers.find(({ game, offer }) => game === match.game && offer !== null);
      if (suggested) this.offer = (await import("./offer.js")).offerOf(match, suggested, this.shell);
      this.shell.redraw();
      const board = ratings.boards.find((one) => one.game === match.game && one.preset === match.preset);
      const sentence = board?.sentence;
      if (this.version !== match.version || ratings.match !== "counted" || !sentence) return;
      this.sentence = () => sentence[preferences.language];
      this.details = board.details ?? null;
      this.shell.redraw();
    } catch (error) {
      this.shell.fail(error);
    }
  }

  /** How sure the rating is, behind a tap, and a match at another difficulty in one click. */
  below() {
    return html`${
      this.details
        ? html`<details class="certainty"><summary>${say("certainty")}</summary>
          <p class="muted">${this.details[preferences.language]}</p></details>`
        : nothing
    }${this.offer?.() ?? nothing}`;
  }
}
