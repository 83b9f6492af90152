// @ts-check
/** What the board of a game without a renderer says, in English. */

export default {
  moves: "Legal moves",
  filter: "Find a move",
  none: "No move can be played now.",
};
