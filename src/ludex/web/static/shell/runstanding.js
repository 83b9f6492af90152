// @ts-check
/** What a run is called, how far it has come and its state, in words. */

import { ago } from "./names.js";
import { preferences } from "./preferences.js";
import { say } from "./runcurves.js";

/** @typedef {import("./api.js").Schemas["RunLine"] | import("./api.js").Schemas["RunDetail"]} Named */

/** @param {Pick<Named, "game_title" | "label">} run */
export const runTitle = (run) =>
  [run.game_title[preferences.language], run.label[preferences.language]].filter(Boolean).join(" · ");

/** @param {{ rows: number, state: import("./api.js").Schemas["RunLine"]["state"], created_utc: string }} run */
export function standing(run) {
  const rows = say("rows", { count: run.rows });
  return [rows, run.state && say(run.state), ago(run.created_utc)].filter(Boolean).join(" · ");
}
