// @ts-check
/** What is said of the agents that a run keeps, in French. */

/** @type {Record<keyof typeof import("./checkpoints.en.js").default, string>} */
export default {
  title: "Jouez contre ce qu’il a appris",
  step: "Étape {step}",
  play: "Jouer contre l’étape {step}",
  watch: "Regarder jouer l’étape {step}",
  show: "Montrer ce qu’il ferait",
  moves: "Position après {count} coups au hasard",
  would: "À l’étape {step}, il jouerait :",
  share: "{share} %",
  against: "Adversaire",
  meet: "Opposer l’étape {one} à l’étape {two}",
  export: "Exporter un fichier",
  agents: "Agents gardés",
  visitors: "L’administrateur peut garder un agent comme niveau.",
};
