// @ts-check
/** The viewer's own row among the agents of the leaderboard. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { figure, percent } from "./figures.js";
import { results, whisker } from "./results.js";
import { t } from "./texts.js";

/** @typedef {import("./api.js").Schemas["PersonalBoard"]} PersonalBoard */
/** @typedef {import("./results.js").Row} Row */
/** @typedef {import("./results.js").Scale} Scale */

/**
 * @param {PersonalBoard} you @param {string} rating in words @param {boolean} alone @param {string | null} name
 * @returns {import("./results.js").OwnRow}
 */
export function ownRow(you, rating, alone, name) {
  return {
    place: (rows) => rows.filter((row) => lowerBound(row, alone) >= lowerBound(you, alone)).length,
    row: (scale, compared) => person(you, rating, scale, alone, compared, name),
  };
}

/**
 * The row of the viewer.
 * @param {PersonalBoard} you @param {string} rating @param {Scale} scale @param {boolean} alone
 * @param {boolean} compared @param {string | null} name
 */
function person(you, rating, scale, alone, compared, name) {
  const share = you.score ?? 0;
  return html`<tr class="yours" data-testid="you">
    <td class="rank"></td>
    <th scope="row">${t("you")}${name ? ` (${name})` : ""}</th>
    <td class="number strong">${alone ? percent(share) : rating}</td>
    <td class="interval">${whisker(alone ? share : you.elo, (alone ? you.ci95 : you.elo_ci95) ?? [null, null], scale, alone)}</td>
    ${compared ? html`<td class="number wide"></td>` : nothing}
    ${alone ? nothing : html`<td class="number wide">${percent(share)}</td>`}
    <td class="number wide">${results(you, alone)}</td>
    <td class="number">${figure(you.games)}</td>
  </tr>`;
}

/**
 * The value by which the viewer is placed among the agents: what their games prove at least. With only losses that is
 * nothing, and the place is the last.
 *
 * @param {Row | PersonalBoard} row
 * @param {boolean} alone
 */
function lowerBound(row, alone) {
  return (alone ? row.ci95 : row.elo_ci95)?.[0] ?? -Infinity;
}
