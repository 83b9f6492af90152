// @ts-check
/** The server's puzzles. */

import { request } from "./api.js";

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */

/** @param {string} game @param {string} [id] */
const of = (game, id) => `/api/puzzles/${encodeURIComponent(game)}${id ? `/${encodeURIComponent(id)}` : ""}`;

/** @returns {Promise<Schemas["PuzzleOverview"]>} */
export const overview = () => request("GET", "/api/puzzles");

/** @param {string} game @param {string | null} theme @returns {Promise<Schemas["PuzzleView"]>} */
export const nextPuzzle = (game, theme) =>
  request("GET", `${of(game, "next")}${theme ? `?${new URLSearchParams({ theme })}` : ""}`);

/** A puzzle by its id; `daily` is that of the day. @param {string} game @param {string} id @returns {Promise<Schemas["PuzzleView"]>} */
export const puzzle = (game, id) => request("GET", of(game, id));

/** @param {string} game @param {string} id @param {string} move @param {string[]} notes @returns {Promise<Schemas["PuzzleVerdict"]>} */
export const answer = (game, id, move, notes) => request("POST", of(game, id), { move, notes });

/** @param {string} game @param {string} id @returns {Promise<Schemas["PuzzleSolution"]>} */
export const solution = (game, id) => request("POST", `${of(game, id)}/solution`, {});
