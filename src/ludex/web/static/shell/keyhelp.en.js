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
  Enter: "Enter",
  Escape: "Escape",
  Home: "Home",
  End: "End",
  "Page Up": "Page Up",
  "Page Down": "Page Down",
};
