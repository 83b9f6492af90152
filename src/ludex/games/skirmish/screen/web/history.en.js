// @ts-check
/** What is said of the phases of a match and of a deployment that cannot be finished, in English. */

export default {
  replay: "Phase by phase",
  previous: "Previous phase",
  next: "Next phase",
  phaseOf: "Turn {turn}, player {player}: {phase}",
  deadlockCause: "Player {player} cannot place any unit, and neither can the other player.",
  deadlockPlayer: "Player {player}: units left: {units}; zone of {pool} hexes, {free} of them free",
  deadlockNone: "none",
  deadlockOccupied: "Occupied hexes on the board: {count}",
  log: "Dice and deeds",
  noLog: "Nothing has happened yet.",
};
