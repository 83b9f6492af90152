// @ts-check
/** How far a run has come and its state, in words. */

import { ago } from "./names.js";
import { say } from "./runcurves.js";

/** @param {{ rows: number, state: import("./api.js").Schemas["RunLine"]["state"], created_utc: string }} run */
export function standing(run) {
  const rows = run.rows === 1 ? say("row_one") : say("rows", { count: run.rows });
  return [rows, run.state && say(run.state), ago(run.created_utc)].filter(Boolean).join(" · ");
}
