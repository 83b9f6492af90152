// @ts-check
/** What a newcomer is offered on the home page, in French. */

/** @type {Record<keyof typeof import("./welcome.en.js").default, string>} */
const texts = {
  title: "Vous découvrez ?",
  text: "Apprenez un jeu en y jouant : quelques petits plateaux, une idée chacun, environ trois minutes.",
  learn: "Apprendre à jouer",
  later: "Plus tard",
  go_on: "Continuer : {game}",
};

export default texts;
