// @ts-check
/** What tic-tac-toe's screen says, in French. */

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  board: "Plateau de {rows} lignes et {cols} colonnes, {k} alignés gagnent",
  free: "{name}, libre",
  marked: "{name}, {mark}",
  taken: "{name} est prise.",
  win: "gain",
  draw: "nulle",
  loss: "perte",
  canonical: "Plateau canonique",
  transform: "Obtenu par {name}",
  canonical_why: "Tous les plateaux tournés ou reflétés partagent une même entrée du classement.",
  keypad: "marquer une case, comme sur un pavé numérique",
  arrows: "déplacer le curseur",
  enter: "marquer la case",
  key_arrows: "flèches",
  line: "alignement",
  full: "plateau plein",
  Identity: "aucun changement",
  Rot90: "un quart de tour",
  Rot180: "un demi-tour",
  Rot270: "trois quarts de tour",
  ReflectVertical: "reflet gauche-droite",
  ReflectHorizontal: "reflet haut-bas",
  ReflectMainDiagonal: "reflet selon la diagonale descendante",
  ReflectAntiDiagonal: "reflet selon la diagonale montante",
};
