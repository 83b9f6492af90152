// @ts-check
/** What is said of a move that waits for its second tap, in English. */

export default {
  tap_again: "{move}: tap again to play it. It cannot be taken back.",
};
