// @ts-check
/** What the page that compares runs says, in French. */

/** @type {Record<keyof typeof import("./compare.en.js").default, string>} */
export default {
  title: "Comparer des entraînements",
  none: "Choisissez les entraînements à comparer sur la page des entraînements.",
  metric: "Mesure",
  axis: "Selon",
  axis_row: "ligne",
  band: "Une courbe est la moyenne sur les graines ; sa bande va du plus bas au plus haut des entraînements.",
  export: "Enregistrer les courbes en",
  configurations: "Ce qui diffère",
  configuration: "Configuration",
  runs: "Entraînements",
  part: "Pour",
  last: "Dernière valeur : {metric}",
  range: "(de {low} à {high})",
  seeds: "{count} graines",
  seed: "graine {seed}",
  repeat: "Refaire un entraînement",
  repeat_how: "Chaque commande refait cet entraînement seul, avec la même graine et les mêmes valeurs.",
  no_command: "Cet entraînement n’a pas noté ce qu’il changeait ; sa configuration est sur sa page.",
  notes: "Notes",
  notes_whose: "Seul l’administrateur les lit et les écrit.",
  save: "Enregistrer",
  saved: "La note est enregistrée.",
  queued: "en attente",
  running: "en cours",
  paused: "en pause",
  finished: "terminé",
  failed: "échoué",
  interrupted: "interrompu",
};
