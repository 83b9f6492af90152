// @ts-check
/** The part of the server's REST interface about jobs, and about what can be trained. */

import { request } from "./api.js";

/** @param {string} id */
const job = (id) => `/api/jobs/${encodeURIComponent(id)}`;

/** @type {import("../types/rest.js").JobsRest} */
export const jobs = {
  all: () => request("GET", "/api/jobs"),
  one: (id) => request("GET", job(id)),
  start: (wish) => request("POST", "/api/jobs", wish),
  pause: (id) => request("POST", `${job(id)}/pause`),
  resume: (id) => request("POST", `${job(id)}/resume`),
  cancel: (id) => request("POST", `${job(id)}/cancel`),
  rename: (id, title) => request("PATCH", job(id), { title }),
  remove: (id) => request("DELETE", job(id)),
  quickTrainings: () => request("GET", "/api/trainings"),
  operation: (name) => request("GET", `/api/operations/${encodeURIComponent(name)}`),
  trainings: (game) => request("GET", `/api/trainings/${encodeURIComponent(game)}`),
};
