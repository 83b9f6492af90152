// @ts-check
/** What the keys of a match do, in French. */

/** @type {Record<keyof typeof import("./keyhelp.en.js").default, string>} */
export default {
  title: "Clavier",
  help: "cette aide",
  history: "première position, précédente, suivante, dernière",
  undo: "annuler le coup",
  hint: "conseil",
  overlay: "calque suivant",
  new: "nouvelle partie",
  Enter: "Entrée",
  Escape: "Échap",
  Home: "Début",
  End: "Fin",
  "Page Up": "Page préc.",
  "Page Down": "Page suiv.",
};
