// @ts-check
/** What is said of the phases of a match and of a deployment that cannot be finished, in French. */

/** @type {typeof import("./history.en.js").default} */
export default {
  replay: "Phase par phase",
  previous: "Phase précédente",
  next: "Phase suivante",
  phaseOf: "Tour {turn}, joueur {player} : {phase}",
  deadlockCause: "Le joueur {player} ne peut placer aucune unité, et l’autre joueur non plus.",
  deadlockPlayer: "Joueur {player} : unités restantes : {units} ; zone de {pool} hexes, dont {free} libres",
  deadlockNone: "aucune",
  deadlockOccupied: "Hexes occupés sur la carte : {count}",
  log: "Dés et actions",
  noLog: "Il ne s’est encore rien passé.",
};
