/** The server's rounds of puzzles, and the words of their page. */

import { request } from "./api.js";
import { texts } from "./texts.js";

const ROUNDS = "/api/puzzles/rounds";

/** @typedef {Schemas["RoundView"]["mode"]} Mode */

/** @param {string} game @param {Mode} mode @returns {Promise<Schemas["RoundView"]>} */
export const beginRound = (game, mode) => request("POST", ROUNDS, { game, mode });

/** @param {string} id @returns {Promise<Schemas["RoundView"]>} */
export const readRound = (id) => request("GET", `${ROUNDS}/${id}`);

/** @param {string} id @param {number} number @param {string} move @param {string[]} notes @returns {Promise<Schemas["RoundVerdict"]>} */
export const answerRound = (id, number, move, notes) => request("POST", `${ROUNDS}/${id}`, { number, move, notes });

/** @param {string} game @param {Mode} mode @returns {Promise<Schemas["RoundTable"]>} */
export const roundTable = (game, mode) => request("GET", `${ROUNDS}?${new URLSearchParams({ game, mode })}`);

export const say = texts("learn", "rounds");
