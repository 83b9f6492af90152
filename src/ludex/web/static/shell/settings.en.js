// @ts-check
/** What the page of settings says, in English. */

export default {
  title: "Your settings",
  documentation: "Documentation: tutorials, how-to guides and reference",
  nickname: "Nickname",
  nickname_note: "2 to 20 letters, digits, spaces or - _ . ' Everybody who sees your matches sees it. Leave it empty to have none.",
  save: "Save",
  back: "Back to the match",
  saved: "Others see you as {name} now.",
  nameless: "You have no nickname now.",
  sound: "Sounds",
  sound_note: "Short tones for moves and the end of a match.",
  confirm: "A second tap confirms a move",
  confirm_note: "On touch screens, where a move cannot be taken back: with clocks, dice or secrets, and against people. A slip of the finger then costs nothing, but every such move takes two taps.",
  emotes: "Signs of other players",
  emotes_note: "Hello, nice move, oops and thanks, in matches between two people.",
};
