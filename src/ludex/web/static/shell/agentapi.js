// @ts-check
/** The part of the server's REST interface about trained agents: checkpoints of runs, and those kept as levels. */

import { query, request } from "./api.js";

/** @param {string} name */
const run = (name) => `/api/runs/${encodeURIComponent(name)}/checkpoints`;

/** @param {string} name */
const agent = (name) => `/api/agents/${encodeURIComponent(name)}`;

/** @type {import("../types/rest.js").AgentRest} */
export const agents = {
  checkpoints: (name) => request("GET", run(name)),
  view: (name, step, plies) => request("GET", `${run(name)}/${step}/view${query({ plies })}`),
  checkpointFile: (name, step) => `${run(name)}/${step}/file`,
  tournament: (game, preset, players, games) =>
    request("POST", "/api/jobs", { kind: "tournament", game, preset, agents: players, games }),
  kept: () => request("GET", "/api/agents"),
  keep: (name, step, title) => request("POST", "/api/agents", { run: name, step, title }),
  bring: (wish) => request("POST", "/api/agents/import", wish),
  file: (name) => `${agent(name)}/file`,
  remove: (name) => request("DELETE", agent(name)),
};
