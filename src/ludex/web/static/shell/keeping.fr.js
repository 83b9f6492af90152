// @ts-check
/** What is said of keeping an agent of a run, in French. */

/** @type {Record<keyof typeof import("./keeping.en.js").default, string>} */
export default {
  tournament: "Tournoi de {games} parties",
  name: "Nom",
  keep: "Garder comme niveau",
  kept: "« {title} » est désormais un niveau de la page d’accueil.",
};
