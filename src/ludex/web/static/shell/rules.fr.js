// @ts-check
/** What the drawer of the rules says, in French. */

/** @type {Record<keyof typeof import("./rules.en.js").default, string>} */
const texts = {
  title: "Règles : {game}",
  terms: "Les mots du jeu",
  tutorial: "Apprendre en jouant : {count} petites étapes",
  none: "Ce jeu n’apporte pas de règles pour l’écran.",
};

export default texts;
