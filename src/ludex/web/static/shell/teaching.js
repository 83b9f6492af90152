/** The server's rules and tutorials. */

import { query, request } from "./api.js";

/** @param {string} game */
const of = (game) => `/api/games/${encodeURIComponent(game)}`;

/** The rules of a board. @param {string} game @param {string} preset @returns {Promise<Schemas["RulesView"]>} */
export const rules = (game, preset) => request("GET", `${of(game)}/rules?${new URLSearchParams({ preset })}`);

/** @param {string} game @returns {Promise<Schemas["TutorialView"]>} */
export const tutorial = (game) => request("GET", `${of(game)}/tutorial`);

/** The address of a step, on request with its board as text. @param {string} game @param {string} step @param {boolean} [picture] */
const stepOf = (game, step, picture) =>
  `${of(game)}/tutorial/${encodeURIComponent(step)}${query({ picture: picture || null })}`;

/** @param {string} game @param {string} step @param {boolean} [picture] @returns {Promise<Schemas["StepPosition"]>} */
export const stepPosition = (game, step, picture) => request("GET", stepOf(game, step, picture));

/**
 * Judge the last of the moves made in a step.
 * @param {string} game @param {string} step @param {string[]} moves @param {boolean} [picture]
 * @returns {Promise<Schemas["TutorialVerdict"]>}
 */
export const verdict = (game, step, moves, picture) => request("POST", stepOf(game, step, picture), { moves });
