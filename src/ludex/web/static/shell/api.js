// @ts-check
/** The server's REST interface, typed by its OpenAPI document. */

import { t } from "./texts.js";

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */

/** An answer that is an error, in the server's words. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 where no answer came
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
async function request(method, path, body) {
  /** @type {RequestInit} */
  const init = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.headers = { accept: "application/json", "content-type": "application/json" };
    init.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, "offline", t("offline"));
  }
  if (response.status === 204) return /** @type {T} */ (undefined);
  const text = await response.text();
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    throw new ApiError(response.status, "unreadable", t("unreadable", { status: response.status }));
  }
  if (response.ok) return document;
  throw new ApiError(response.status, document.code ?? "unknown", document.message ?? t("unreadable", { status: response.status }));
}

/** @param {Record<string, string | number | boolean | null | undefined>} values */
function query(values) {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return known.length ? `?${new URLSearchParams(known.map(([key, value]) => [key, String(value)]))}` : "";
}

/** @param {string} id */
const match = (id) => `/api/matches/${encodeURIComponent(id)}`;

/** @param {string} name */
const run = (name) => `/api/runs/${encodeURIComponent(name)}`;

/** @param {string} name */
const tournament = (name) => `/api/tournaments/${encodeURIComponent(name)}`;

export const api = {
  /** @returns {Promise<Schemas["Games"]>} */
  games: () => request("GET", "/api/games"),
  /** @param {{ limit?: number, before?: string | null, game?: string, yours?: boolean }} which @returns {Promise<Schemas["MatchList"]>} */
  matches: (which) => request("GET", `/api/matches${query(which)}`),
  /** @param {Partial<Schemas["NewMatch"]> & { game: string, seats: string[] }} wish @returns {Promise<MatchView>} */
  create: (wish) => request("POST", "/api/matches", wish),
  /** @param {string} text of a match file @returns {Promise<MatchView>} */
  bring: (text) => request("POST", "/api/matches/import", text),
  /** @param {string} id @param {number} [ply] @returns {Promise<MatchView>} */
  match: (id, ply) => request("GET", match(id) + query({ ply })),
  /** @param {string} id @returns {Promise<void>} */
  remove: (id) => request("DELETE", match(id)),
  /** @param {string} id @returns {Promise<Schemas["Stage"]>} */
  stage: (id) => request("GET", `${match(id)}/stage`),
  /** @param {string} id @returns {Promise<Schemas["LegalMoves"]>} */
  legal: (id) => request("GET", `${match(id)}/legal`),
  /** @param {string} id @param {number} version @param {string} text @returns {Promise<MatchView>} */
  move: (id, version, text) => request("POST", `${match(id)}/moves`, { version, text }),
  /** @param {string} id @param {number} version @returns {Promise<MatchView>} */
  undo: (id, version) => request("POST", `${match(id)}/undo`, { version }),
  /** @param {string} id @param {number} version @returns {Promise<MatchView>} */
  resign: (id, version) => request("POST", `${match(id)}/resign`, { version }),
  /** @param {string} id @param {string} text @returns {Promise<Schemas["Trial"]>} */
  judge: (id, text) => request("POST", `${match(id)}/try`, { text }),
  /** @param {string} id @param {number} ply @param {string[]} seats @returns {Promise<MatchView>} */
  fork: (id, ply, seats) => request("POST", `${match(id)}/fork`, { ply, seats }),
  /** @param {string} id @param {{ agent: string, ply: number, movetime_ms: number }} wish @returns {Promise<Schemas["Thought"]>} */
  analyse: (id, wish) => request("POST", `${match(id)}/analysis`, wish),
  /** @param {string} id @returns {Promise<Schemas["Invitation"]>} */
  invite: (id) => request("POST", `${match(id)}/invitation`),
  /** @param {string} id @param {string} invitation @returns {Promise<MatchView>} */
  join: (id, invitation) => request("POST", `${match(id)}/join`, { invitation }),
  /** @param {string} id @returns {string} where the match file lies */
  file: (id) => `${match(id)}/file`,
  /** @returns {Promise<Schemas["Runs"]>} */
  runs: () => request("GET", "/api/runs"),
  /** @param {string} name @returns {Promise<Schemas["RunDetail"]>} */
  run: (name) => request("GET", run(name)),
  /** @param {string} name @param {number} after @returns {Promise<Schemas["RunMetrics"]>} */
  metrics: (name, after) => request("GET", `${run(name)}/metrics${query({ after })}`),
  /** @returns {Promise<Schemas["TournamentList"]>} */
  tournaments: () => request("GET", "/api/tournaments"),
  /** @param {string} name @returns {Promise<Schemas["TournamentDetail"]>} */
  tournament: (name) => request("GET", tournament(name)),
  /** @param {string} name @param {{ limit: number, before: number | null, agent: string | null, opponent: string | null }} which @returns {Promise<Schemas["GameList"]>} */
  tournamentGames: (name, which) => request("GET", `${tournament(name)}/games${query(which)}`),
  /** @returns {Promise<Schemas["Leaderboard"]>} */
  leaderboard: () => request("GET", "/api/leaderboard"),
  /** @param {string} [id] of a match: does it count? @returns {Promise<Schemas["PersonalRatings"]>} */
  ratings: (id) => request("GET", `/api/me/ratings${query({ match: id })}`),
};
