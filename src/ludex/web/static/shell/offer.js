// @ts-check
/** A match at the difficulty that a person's results suggest, in one click; loaded where there is one. */

import { html } from "../vendor/lit-html/lit-html.js";
import { api } from "./api.js";
import { prefer, preferences } from "./preferences.js";

/** @typedef {import("../types/renderer.js").MatchView} MatchView */
/** @typedef {import("./api.js").Schemas["LevelOffer"]} LevelOffer */

/**
 * The button, or null where the results are those at another difficulty.
 * @param {MatchView} match @param {LevelOffer} offer @param {import("../types/page.js").Shell} shell
 */
export function offerOf(match, offer, shell) {
  if (![match.preset, ...match.seats.map(({ name }) => name)].includes(offer.level)) return null;
  return () =>
    html`<p><button class="offer" @click=${() => begin(match, offer, shell)}>${offer.text?.[preferences.language]}</button></p>`;
}

/** @param {MatchView} match @param {LevelOffer} offer @param {import("../types/page.js").Shell} shell */
async function begin(match, offer, shell) {
  const alone = match.seats.length === 1;
  const next = offer.offer ?? offer.level;
  const seats = match.seats.map((seat) => (seat.kind === "person" ? "you" : next));
  const clock = match.clock && { seconds: match.clock.seconds, increment: match.clock.increment };
  try {
    const begun = await api.create({
      game: match.game,
      preset: alone ? next : match.preset,
      seats,
      practice: false,
      clock,
    });
    // The home page goes on with it.
    const chosen = alone ? { preset: next, options: {} } : { level: next };
    prefer({ choices: { ...preferences.choices, [match.game]: { ...preferences.choices[match.game], ...chosen } } });
    shell.go(`/match/${begun.id}`);
  } catch (error) {
    shell.fail(error);
  }
}
