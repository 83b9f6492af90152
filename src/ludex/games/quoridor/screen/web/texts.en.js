// @ts-check
/** What Quoridor's screen says, in English. */

export default {
  board: "Quoridor board of {size} by {size}. Arrows move the cursor, w turns it into a wall, Enter plays.",
  position: "Blue on {blue}, orange on {orange}. Walls: {walls}.",
  none: "none",
  blue: "Blue",
  orange: "Orange",
  paths: "Shortest paths",
  steps: "{count} steps to go",
  step: "1 step to go",
  left: "{count} walls left",
  walls: "Walls and paths",
  tap: "{move}: tap again to place the wall.",
  may: "{move} can be played.",
  may_not: "{move} cannot be played now.",
  key_arrows: "arrows",
  arrows: "move the cursor",
  turn: "pawn, horizontal wall, vertical wall",
  enter: "play",
  escape: "back to the pawn",
  path_key: "shortest paths",
  goal: "goal reached",
  repetition: "third repetition",
  limit: "move limit",
};
