/** The effect of a finished match on the person's rating, and the next difficulty, loaded once it is over. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { chooseFor, preferences } from "./preferences.js";
import { mayCount } from "./standing.js";
import { texts } from "./texts.js";

const say = texts("match", "page");

export class OwnRating {
  /** @param {Shell} shell */
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
    await this.shell.attempt(async () => {
      const [ratings, { offers }] = await Promise.all([api.ratings(match.id), api.levelOffers()]);
      const suggested = offers.find(({ game, offer }) => game === match.game && offer !== null);
      if (suggested) this.offer = offerOf(match, suggested, this.shell);
      this.shell.redraw();
      const board = ratings.boards.find((one) => one.game === match.game && one.preset === match.preset);
      const sentence = board?.sentence;
      if (this.version !== match.version || ratings.match !== "counted" || !sentence) return;
      this.sentence = () => sentence[preferences.language];
      this.details = board.details ?? null;
    });
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

/**
 * The button, or null where the results are those at another difficulty.
 * @param {MatchView} match @param {LevelOffer} offer @param {Shell} shell
 */
function offerOf(match, offer, shell) {
  if (![match.preset, ...match.seats.map(({ name }) => name)].includes(offer.level)) return null;
  return () =>
    html`<p><button class="offer" @click=${() => begin(match, offer, shell)}>${offer.text?.[preferences.language]}</button></p>`;
}

/** @param {MatchView} match @param {LevelOffer} offer @param {Shell} shell */
async function begin(match, offer, shell) {
  const alone = match.seats.length === 1;
  const next = offer.offer ?? offer.level;
  const seats = match.seats.map((seat) => (seat.kind === "person" ? "you" : next));
  const clock = match.clock && { seconds: match.clock.seconds, increment: match.clock.increment };
  await shell.attempt(async () => {
    const begun = await api.create({
      game: match.game,
      preset: alone ? next : match.preset,
      seats,
      practice: match.practice,
      clock,
    });
    // The home page goes on with it.
    chooseFor(match.game, alone ? { preset: next, options: {} } : { level: next });
    shell.go(`/match/${begun.id}`);
  });
}
