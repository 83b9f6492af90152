// @ts-check
/** What the controls of a match between machines say, in French. */

/** @type {typeof import("./pace.en.js").default} */
export default {
  label: "Rythme de la partie",
  pause: "Pause",
  go_on: "Reprendre",
  step: "Coup suivant",
  step_title: "Faire jouer un coup à la machine qui a le trait",
  step_paused: "Mettez d’abord la partie en pause : elle se joue alors coup par coup.",
  speed: "Vitesse",
  slow: "Lente",
  medium: "Moyenne",
  fast: "Rapide",
};
