// @ts-check
/** What is said of the rarer actions in a match, in English. */

export default {
  unrated: "This match would not be rated",
  hint: "A hint makes this match unrated.",
  analysis: "An analysis makes this match unrated.",
  overlay: "This overlay shows what an engine thinks: it makes the match unrated.",
  undo: "A move taken back makes this match unrated.",
  fork: "A live match that is played on elsewhere is unrated.",
  practice: "For hints and undo without this question, begin a practice match.",
  agree: "Go on, unrated",
  keep: "Keep it rated",
  leave: "This match is still live. Press again to leave it for a new one; it stays among your matches.",
  copied: "The link is in the clipboard.",
  copy_by_hand: "Copy this link: {link}",
  deleted: "The match is deleted.",
};
