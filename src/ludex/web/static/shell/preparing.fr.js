// @ts-check
/** What the pages say of a game that is being prepared, in French. */

/** @type {Record<keyof typeof import("./preparing.en.js").default, string>} */
export default {
  waiting: "En attente…",
  begun: "Préparation…",
  preparing: "Préparation : {done} sur {total}",
  failed: "Indisponible",
  starts: "Commence bientôt…",
  starts_spoken: "Le jeu est en préparation. La partie commencera d’elle-même dès qu’il sera prêt.",
  match: "Ce jeu est préparé pour la première fois sur cette machine. La partie continuera d’elle-même.",
};
