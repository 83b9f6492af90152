// @ts-check
/** The part of the server's REST interface that few pages need: runs and the administrator. */

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
