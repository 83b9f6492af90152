// @ts-check
/** What the page of a ghost says, in English. */

export default {
  title: "Play the ghost: {game}",
  about: "Play from the same position, with the same seed and the same machine, and compare the results.",
  against: "against {opponent}",
  alone: "alone",
  from: "after {ply} moves",
  from_start: "from the start",
  results: "The results of everybody who has played it",
  player: "Player",
  result: "Result",
  moves: "Moves",
  time: "Time",
  seconds: "{seconds} s",
  won: "won",
  lost: "lost",
  drawn: "drawn",
  live: "playing",
  challenger: "The challenger",
  somebody: "Somebody",
  hidden: "You can look at the other matches once yours is over.",
  play: "Play it",
  again: "Play it again",
  link: "Copy the link for a friend",
  copied: "The link is in the clipboard.",
  copy_by_hand: "Copy this link: {link}",
};
