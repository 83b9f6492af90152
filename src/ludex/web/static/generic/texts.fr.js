// @ts-check
/** What the generic board says, in French. */

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  moves: "Coups permis",
  filter: "Chercher un coup",
  none: "Aucun coup ne peut être joué.",
  free: "{name}, libre",
  nothing_here: "Rien ne peut être joué en {name}.",
  go_on: "{name} choisie. Choisissez la suite.",
  edges: "Bords",
  win: "gain",
  draw: "nulle",
  loss: "perte",
  keypad: "choisir une case, comme sur un pavé numérique",
  arrows: "déplacer le curseur",
  enter: "choisir la case",
  escape: "choisir une autre case",
  key_arrows: "flèches",
};
