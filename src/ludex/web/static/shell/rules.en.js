// @ts-check
/** What the drawer of the rules says, in English. */

export default {
  title: "Rules of {game}",
  terms: "Words of the game",
  tutorial: "Learn by playing: {count} short steps",
  none: "This game brings no rules for the screen.",
};
