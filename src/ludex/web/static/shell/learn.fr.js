// @ts-check
/** What the page of a tutorial says, in French. */

/** @type {Record<keyof typeof import("./learn.en.js").default, string>} */
const texts = {
  title: "Apprendre : {game}",
  step: "Étape {number} sur {count}",
  steps: "Étapes du tutoriel",
  done_step: "faite",
  task: "À vous",
  next: "Suivant",
  finish: "Terminer",
  skip: "Passer cette étape",
  again: "Recommencer l’étape",
  leave: "Quitter le tutoriel",
  not_yet: "Pas encore.",
  not_allowed: "Ce n’est pas permis.",
  right: "Exact !",
  complete: "Vous connaissez le jeu",
  end: "La fin du tutoriel",
  complete_text: "Vous avez fait toutes les étapes. Le mieux est maintenant une première partie ; les règles restent à portée de main.",
  skipped_text: "Vous êtes au bout. Les étapes passées restent ouvertes ; le mieux est maintenant une première partie.",
  play: "Jouer une première partie",
  other: "Autres jeux",
  restart: "Recommencer",
};

export default texts;
