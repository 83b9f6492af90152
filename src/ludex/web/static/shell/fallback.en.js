// @ts-check
/** What is said of a board that cannot be shown, in English. */

export default {
  broken_board: "The game’s own board cannot be shown; this is a plain one. The game’s author needs to know:",
};
