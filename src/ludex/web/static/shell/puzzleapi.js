/** The server's puzzles, the words of their pages, and where a person stands. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { request } from "./api.js";
import { texts } from "./texts.js";

/** @param {string} game @param {string} [id] */
const of = (game, id) => `/api/puzzles/${encodeURIComponent(game)}${id ? `/${encodeURIComponent(id)}` : ""}`;

/** @returns {Promise<Schemas["PuzzleOverview"]>} */
export const overview = () => request("GET", "/api/puzzles");

/** @param {string} game @param {string | null} theme @returns {Promise<Schemas["PuzzleView"]>} */
export const nextPuzzle = (game, theme) =>
  request("GET", `${of(game, "next")}${theme ? `?${new URLSearchParams({ theme })}` : ""}`);

/** A puzzle by its id; `daily` is that of the day. @param {string} game @param {string} id @returns {Promise<Schemas["PuzzleView"]>} */
export const puzzle = (game, id) => request("GET", of(game, id));

/**
 * @param {string} game @param {string} id @param {string} move @param {string[]} notes @param {string[]} made
 * @returns {Promise<Schemas["PuzzleVerdict"]>}
 */
export const answer = (game, id, move, notes, made) => request("POST", of(game, id), { move, notes, made });

/** @param {string} game @param {string} id @returns {Promise<Schemas["PuzzleSolution"]>} */
export const solution = (game, id) => request("POST", `${of(game, id)}/solution`, {});

export const say = texts("learn", "puzzles");

/** @param {Schemas["PuzzleStanding"]} record */
export function standing(record) {
  const { rating, attempts, streak, best_streak, days } = record;
  return html`<dl class="standing">
    <div><dt>${say("rating")}</dt>
      <dd title=${rating.provisional ? say("provisional") : nothing}>${
        attempts ? `${rating.points}${rating.provisional ? "?" : ""}` : html`<small>${say("provisional")}</small>`
      }</dd></div>
    <div><dt>${say("streak")}</dt><dd>${streak}</dd></div>
    <div><dt>${say("best")}</dt><dd>${best_streak}</dd></div>
    ${days ? html`<div><dt>${say("days")}</dt><dd>${days}</dd></div>` : nothing}
  </dl>`;
}
