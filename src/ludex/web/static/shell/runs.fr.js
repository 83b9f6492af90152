// @ts-check
/** What the page of training runs says, in French. */

/** @type {Record<keyof typeof import("./runs.en.js").default, string>} */
export default {
  none: "Il n’y a pas encore d’entraînement. L’administrateur en commence un dans le laboratoire.",
  pick: "Cochez un ou plusieurs entraînements.",
  what: "Que dit cette mesure ?",
  compare: "Comparer les entraînements cochés",
  experiment: "expérience {name}",
  agents: "Agents gardés",
  metric: "Mesure",
  axis: "Selon",
  axis_row: "ligne",
  smoothing: "Lissage",
  queued: "en attente",
  running: "en cours",
  paused: "en pause",
  finished: "terminé",
  failed: "échoué",
  interrupted: "interrompu",
  row_one: "1 ligne",
  rows: "{count} lignes",
  evaluation: "Évaluation de {run}",
  config: "Configuration",
  summary: "Résumé",
};
