// @ts-check
/** What the page of training runs says, in English. */

export default {
  none: "There is no training run yet. The administrator begins one in the laboratory.",
  pick: "Tick one run or several.",
  what: "What does this metric say?",
  compare: "Compare the ticked runs",
  experiment: "experiment {name}",
  agents: "Kept agents",
  metric: "Metric",
  axis: "Against",
  axis_row: "row",
  smoothing: "Smoothing",
  queued: "queued",
  running: "running",
  paused: "paused",
  finished: "finished",
  failed: "failed",
  interrupted: "interrupted",
  row_one: "1 row",
  rows: "{count} rows",
  evaluation: "Evaluation of {run}",
  config: "Configuration",
  summary: "Summary",
};
