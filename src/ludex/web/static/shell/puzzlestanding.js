// @ts-check
/** The words of the puzzle pages, and where a person stands. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { texts } from "./texts.js";

/** @typedef {import("./puzzleapi.js").Schemas} Schemas */

export const say = texts("learn", "puzzles");

/** @param {Schemas["PuzzleStanding"]} found */
export function standing(found) {
  const { rating, streak, best_streak, days } = found;
  return html`<dl class="standing">
    <div><dt>${say("rating")}</dt>
      <dd>${rating.points}${rating.provisional ? html`<span title=${say("provisional")}>?</span>` : nothing}</dd></div>
    <div><dt>${say("streak")}</dt><dd>${streak}</dd></div>
    <div><dt>${say("best")}</dt><dd>${best_streak}</dd></div>
    ${days ? html`<div><dt>${say("days")}</dt><dd>${days}</dd></div>` : nothing}
  </dl>`;
}
