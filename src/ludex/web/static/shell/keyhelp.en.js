// @ts-check
/** What the keys of a match do, in English. */

export default {
  title: "Keyboard",
  help: "this help",
  history: "first, previous, next, last position",
  undo: "take back",
  hint: "hint",
  overlay: "next overlay",
  new: "new game",
};
