// @ts-check
/** What the keys of a match do, in French. */

/** @type {Record<keyof typeof import("./keyhelp.en.js").default, string>} */
export default {
  title: "Clavier",
  help: "cette aide",
  history: "première position, précédente, suivante, dernière",
  undo: "reprendre un coup",
  hint: "conseil",
  overlay: "calque suivant",
  new: "nouvelle partie",
};
