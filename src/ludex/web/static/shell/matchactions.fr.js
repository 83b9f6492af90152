// @ts-check
/** What is said of the rarer actions in a match, in French. */

/** @type {Record<keyof typeof import("./matchactions.en.js").default, string>} */
export default {
  unrated: "Cette partie ne compterait plus",
  hint: "Avec un conseil, cette partie ne compte plus pour votre cote.",
  analysis: "Avec une analyse, cette partie ne compte plus pour votre cote.",
  overlay: "Ce calque montre ce que pense un moteur : avec lui, la partie ne compte plus pour votre cote.",
  undo: "Avec un coup repris, cette partie ne compte plus pour votre cote.",
  fork: "Une partie en cours que l’on continue ailleurs ne compte plus pour votre cote.",
  practice: "Pour des conseils et des reprises sans cette question, commencez une partie d’entraînement.",
  agree: "Continuer sans cote",
  keep: "Garder la cote",
  leave: "Cette partie est en cours. Encore une fois pour la quitter et en commencer une autre ; elle reste parmi vos parties.",
  copied: "Le lien est dans le presse-papiers.",
  copy_by_hand: "Copiez ce lien : {link}",
  deleted: "La partie est supprimée.",
};
