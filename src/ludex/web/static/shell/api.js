/** The server's REST interface, typed by its OpenAPI document. */

import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** An answer that is an error, in the server's words. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 where no answer came
   * @param {string} code
   * @param {string} message
   * @param {Schemas["GamePreparation"] | null} [preparation] how far the game is that could not be played
   * @param {string} [reason] for engineers, in English
   * @param {number} [wait] the seconds after which the server may be asked again
   */
  constructor(status, code, message, preparation = null, reason = message, wait = 1) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.code = code;
    this.preparation = preparation;
    this.wait = wait;
  }
}

/** A game that is being prepared is answered by 202, which a browser's console does not report as an error. */
const HEADERS = { accept: "application/json", prefer: "respond-async" };

/**
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export async function request(method, path, body) {
  /** @type {RequestInit} */
  const init = { method, headers: { ...HEADERS } };
  if (body !== undefined) {
    init.headers = { ...HEADERS, "content-type": "application/json" };
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
  if (response.ok && response.status !== 202) return document;
  throw new ApiError(
    response.status,
    document.code ?? "unknown",
    document.text?.[preferences.language] ?? document.message ?? t("unreadable", { status: response.status }),
    document.preparation,
    document.message,
    Number(response.headers.get("retry-after") ?? 1),
  );
}

/** @param {Record<string, string | number | boolean | null | undefined>} values */
export function query(values) {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return known.length ? `?${new URLSearchParams(known.map(([key, value]) => [key, String(value)]))}` : "";
}

/** @param {string} id */
const match = (id) => `/api/matches/${encodeURIComponent(id)}`;

/** @param {string} name */
const tournament = (name) => `/api/tournaments/${encodeURIComponent(name)}`;

/** @type {import("../types/rest.js").Rest} */
export const api = {
  games: () => request("GET", "/api/games"),
  board: (game, preset) => request("GET", `/api/games/${encodeURIComponent(game)}/board${query({ preset })}`),
  preparation: () => request("GET", "/api/games/preparation"),
  matches: (which) => request("GET", `/api/matches${query(which)}`),
  create: (wish) => request("POST", "/api/matches", wish),
  bring: (text) => request("POST", "/api/matches/import", text),
  match: (id, ply, picture) => request("GET", match(id) + query({ ply, picture })),
  remove: (id) => request("DELETE", match(id)),
  facts: (id) => request("GET", `${match(id)}/facts`),
  stage: (id) => request("GET", `${match(id)}/stage`),
  legal: (id) => request("GET", `${match(id)}/legal`),
  move: (id, version, text) => request("POST", `${match(id)}/moves`, { version, text }),
  undo: (id, version) => request("POST", `${match(id)}/undo`, { version }),
  resign: (id, version) => request("POST", `${match(id)}/resign`, { version }),
  judge: (id, text) => request("POST", `${match(id)}/try`, { text }),
  fork: (id, ply, seats) => request("POST", `${match(id)}/fork`, { ply, seats }),
  analyse: (id, wish) => request("POST", `${match(id)}/analysis`, wish),
  invite: (id) => request("POST", `${match(id)}/invitation`),
  rematch: (id) => request("POST", `${match(id)}/rematch`),
  join: (id, invitation) => request("POST", `${match(id)}/join`, { invitation }),
  file: (id) => `${match(id)}/file`,
  tournaments: () => request("GET", "/api/tournaments"),
  tournament: (name) => request("GET", tournament(name)),
  ladder: (name) => request("GET", `/api/ladders/${encodeURIComponent(name)}`),
  tournamentGames: (name, which) => request("GET", `${tournament(name)}/games${query(which)}`),
  leaderboard: () => request("GET", "/api/leaderboard"),
  people: () => request("GET", "/api/leaderboard/people"),
  ghost: (of) => request("POST", "/api/ghosts", of),
  levelOffers: () => request("GET", "/api/me/levels"),
  ratings: (id) => request("GET", `/api/me/ratings${query({ match: id })}`),
};
