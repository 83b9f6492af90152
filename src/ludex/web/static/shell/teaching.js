// @ts-check
/** The server's rules and tutorials. */

import { request } from "./api.js";

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["ShownPosition"]} ShownPosition */

/** @param {string} game */
const of = (game) => `/api/games/${encodeURIComponent(game)}`;

/** The rules of a board. @param {string} game @param {string} preset @returns {Promise<Schemas["RulesView"]>} */
export const rules = (game, preset) => request("GET", `${of(game)}/rules?${new URLSearchParams({ preset })}`);

/** @param {string} game @returns {Promise<Schemas["TutorialView"]>} */
export const tutorial = (game) => request("GET", `${of(game)}/tutorial`);

/** @param {string} game @param {string} step @returns {Promise<Schemas["StepPosition"]>} */
export const stepPosition = (game, step) => request("GET", `${of(game)}/tutorial/${encodeURIComponent(step)}`);

/** Judge the last of the moves made in a step. @param {string} game @param {string} step @param {string[]} moves @returns {Promise<Schemas["TutorialVerdict"]>} */
export const verdict = (game, step, moves) => request("POST", `${of(game)}/tutorial/${encodeURIComponent(step)}`, { moves });
