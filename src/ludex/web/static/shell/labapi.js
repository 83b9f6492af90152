/** The part of the server's REST interface that the laboratory needs: runs, jobs, trained agents and the administrator. */

import { query, request } from "./api.js";

/** @param {string} name */
const run = (name) => `/api/runs/${encodeURIComponent(name)}`;

/** @type {import("../types/rest.js").LabRest} */
export const lab = {
  runs: () => request("GET", "/api/runs"),
  run: (name) => request("GET", run(name)),
  figures: (name, row) => request("GET", `${run(name)}/figures${row === null ? "" : query({ row })}`),
  metrics: (name, after) => request("GET", `${run(name)}/metrics${query({ after })}`),
  compare: (runs, metric, axis) => request("GET", `/api/runs/compare${query({ runs: runs.join(","), metric, axis })}`),
  comparison: (runs, metric, axis, format) =>
    `/api/runs/compare/export.${format}${query({ runs: runs.join(","), metric, axis })}`,
  note: (name) => request("GET", `${run(name)}/note`),
  writeNote: (name, note) => request("PUT", `${run(name)}/note`, { note }),
  administrator: () => request("GET", "/api/administrator"),
  logIn: (token) => request("POST", "/api/administrator/login", { token }),
  logOut: () => request("POST", "/api/administrator/logout"),
};

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
  remove: (id) => request("DELETE", job(id)),
  answers: (id, names) => request("GET", `${job(id)}/answers${query({ names })}`),
  quickTrainings: () => request("GET", "/api/trainings"),
  operations: () => request("GET", "/api/operations"),
  operation: (name) => request("GET", `/api/operations/${encodeURIComponent(name)}`),
  trainings: (game) => request("GET", `/api/trainings/${encodeURIComponent(game)}`),
};

/** @param {string} name */
const agent = (name) => `/api/agents/${encodeURIComponent(name)}`;

/** @type {import("../types/rest.js").AgentRest} */
export const agents = {
  checkpoints: (name) => request("GET", `${run(name)}/checkpoints`),
  learned: (name) => request("GET", `${run(name)}/learned`),
  choice: (name, place) => request("GET", `${run(name)}/learned/positions/${place}`),
  film: (name, ply) => request("GET", `${run(name)}/learned/film/${ply}`),
  checkpointFile: (name, step) => `${run(name)}/checkpoints/${step}/file`,
  tournament: (game, preset, players, games) =>
    request("POST", "/api/jobs", { kind: "tournament", game, preset, agents: players, games }),
  kept: () => request("GET", "/api/agents"),
  keep: (name, step, title) => request("POST", "/api/agents", { run: name, step, title }),
  bring: (wish) => request("POST", "/api/agents/import", wish),
  file: (name) => `${agent(name)}/file`,
  remove: (name) => request("DELETE", agent(name)),
};
