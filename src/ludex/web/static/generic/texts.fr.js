// @ts-check
/** What the board of a game without a renderer says, in French. */

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  moves: "Coups permis",
  filter: "Chercher un coup",
  none: "Aucun coup ne peut être joué.",
};
