/** The effect of a finished match on the person's rating, and the next difficulty, loaded once it is over. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { api, request } from "./api.js";
import { chooseFor, preferences } from "./preferences.js";
import { facesMachines } from "./standing.js";
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
    /** @type {Schemas["TimeOfMatch"] | null} how long it took, in a game that is timed */
    this.time = null;
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
    this.time = null;
    if (match.live || !facesMachines(match)) return;
    await this.shell.attempt(async () => {
      const [ratings, { offers }, time] = await Promise.all([
        api.ratings(match.id),
        api.levelOffers(),
        match.seats.length === 1 ? request("GET", `/api/times/${match.id}`) : null,
      ]);
      if (this.version === match.version) this.time = time;
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

  /** The time, and how sure the rating is, behind a tap. */
  below() {
    return html`${this.time?.time ? timeOf(this.time) : nothing}${
      this.details
        ? html`<details class="certainty"><summary>${say("certainty")}</summary>
          <p class="muted">${this.details[preferences.language]}</p></details>`
        : nothing
    }`;
  }
}

/** How long a match took, its figures, and how that compares with the person's best. @param {Schemas["TimeOfMatch"]} time */
function timeOf({ time, record, text, figures }) {
  const { language } = preferences;
  return html`<div class="own-time" data-testid="own-time">
    <dl><div><dt>${say("own_time")}</dt><dd class=${record ? "record" : ""}>${time?.[language]}</dd></div>
      ${figures.map((one) => html`<div><dt>${one.title[language]}</dt><dd>${one.text[language]}</dd></div>`)}</dl>
    ${text ? html`<p>${text[language]} · <a href="/leaderboard#times" data-page>${say("times")}</a></p>` : nothing}
  </div>`;
}

/**
 * The button, or null where the results are those at another difficulty.
 * @param {MatchView} match @param {LevelOffer} offer @param {Shell} shell
 */
function offerOf(match, offer, shell) {
  if (![match.preset, ...match.seats.map(({ name }) => name)].includes(offer.level)) return null;
  return () => html`<button @click=${() => begin(match, offer, shell)}>${offer.text?.[preferences.language]}</button>`;
}

/** @param {MatchView} match @param {LevelOffer} offer @param {Shell} shell */
async function begin(match, offer, shell) {
  const alone = match.seats.length === 1;
  const next = offer.offer ?? offer.level;
  const seats = match.seats.map((seat) => (seat.kind === "person" ? "you" : next));
  const clock = match.clock && { seconds: match.clock.seconds, increment: match.clock.increment };
  await shell.attempt(async () => {
    const newMatch = await api.create({
      game: match.game,
      preset: alone ? next : match.preset,
      seats,
      practice: match.practice,
      clock,
    });
    // The home page goes on with it.
    chooseFor(match.game, alone ? { preset: next, options: {} } : { level: next });
    shell.go(`/match/${newMatch.id}`);
  });
}
