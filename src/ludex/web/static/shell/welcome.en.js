// @ts-check
/** What a newcomer is offered on the home page, in English. */

export default {
  title: "New here?",
  text: "Learn a game by playing it: a few small boards, one idea each, about three minutes.",
  learn: "Learn to play",
  later: "Not now",
  go_on: "Go on: {game}",
};
