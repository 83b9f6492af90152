// @ts-check
/** What is said of a move that waits for its second tap, in French. */

/** @type {typeof import("./comfort.en.js").default} */
export default {
  tap_again: "{move} : touchez encore pour jouer ce coup. Il ne pourra pas être repris.",
};
