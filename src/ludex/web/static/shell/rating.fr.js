// @ts-check
/** What is said of a person's own rating, in French. */

/** @type {Record<keyof typeof import("./rating.en.js").default, string>} */
export default {
  unplayed: "Terminez une partie contre l’une de ces machines, et votre cote figurera dans le tableau.",
  unplayed_alone: "Terminez une partie sur ce plateau, et votre part figurera dans le tableau.",
  left_out: "Vos parties qui ne comptent pas : {reasons}.",
  people: "{count} avec d’autres personnes ou aux deux places",
  practice: "{count} d’entraînement",
  unrated: "{count} contre une machine qui n’est pas dans le tableau telle qu’elle a joué",
  altered: "{count} avec des coups repris, commencées d’une autre ou lues d’un fichier",
  helped: "{count} avec des conseils, des analyses ou des calques",
};
