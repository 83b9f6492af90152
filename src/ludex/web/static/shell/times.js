/** Tables of the best times on boards, on a person's own page and on that of the leaderboard. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { ago } from "./names.js";
import { preferences } from "./preferences.js";
import { t, texts } from "./texts.js";

const say = texts("me", "page");

/** One line per board, with the time of the person. @param {Schemas["TimedBoard"][]} boards */
export function ownTimes(boards) {
  const { language } = preferences;
  return table(
    say("game"),
    boards.flatMap(({ rows }) => rows),
    boards.map(({ names, board }) => `${names[language]} · ${board[language]}`),
  );
}

/** The times of everybody on a board, the shortest first. @param {Schemas["TimedBoard"]} board */
export function timesOf({ rows }) {
  return table(
    say("name"),
    rows,
    rows.map(({ name, you }) => (you ? `${t("you")}${name ? ` (${name})` : ""}` : (name ?? ""))),
  );
}

/** @param {string} title of the first column @param {Schemas["BestTime"][]} rows @param {string[]} names */
function table(title, rows, names) {
  const { language } = preferences;
  // A board that was cleared at once has no speed: the longest row names the columns.
  const titles = [...new Set(rows.flatMap(({ figures }) => figures.map((one) => one.title[language])))];
  return html`<div class="scroll" role="region" tabindex="0" aria-label=${say("times")}><table
    class="times"><thead><tr><th scope="col">${title}</th><th scope="col">${say("time")}</th>
    ${titles.map((figure) => html`<th scope="col">${figure}</th>`)}<th scope="col">${say("day")}</th></tr></thead>
    <tbody>${rows.map(
      ({ you, time, figures, at_utc }, row) => html`<tr class=${you ? "yours" : nothing}>
        <th scope="row">${names[row]}</th><td><strong>${time[language]}</strong></td>
        ${titles.map((name) => html`<td>${figures.find((one) => one.title[language] === name)?.text[language] ?? "–"}</td>`)}
        <td>${ago(at_utc)}</td></tr>`,
    )}</tbody></table></div>`;
}
