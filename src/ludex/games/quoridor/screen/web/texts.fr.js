// @ts-check
/** What Quoridor's screen says, in French. */

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  board: "Plateau de Quoridor de {size} sur {size}. Les flèches déplacent le curseur, w en fait un mur, Entrée joue.",
  position: "Bleu en {blue}, orange en {orange}. Murs : {walls}.",
  none: "aucun",
  blue: "Bleu",
  orange: "Orange",
  paths: "Chemins les plus courts",
  steps: "encore {count} pas",
  step: "encore 1 pas",
  left: "{count} murs en réserve",
  walls: "Murs et chemins",
  tap: "{move} : touchez encore pour poser le mur.",
  may: "{move} peut être joué.",
  may_not: "{move} ne peut pas être joué maintenant.",
  key_arrows: "flèches",
  arrows: "déplacer le curseur",
  turn: "pion, mur couché, mur debout",
  enter: "jouer",
  escape: "revenir au pion",
  path_key: "chemins les plus courts",
  goal: "but atteint",
  repetition: "troisième répétition",
  limit: "limite de coups",
};
