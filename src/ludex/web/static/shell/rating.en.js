// @ts-check
/** What is said of a person's own rating, in English. */

export default {
  rating: "Your rating: {rating} after {games} games",
  rating_first: "Your rating: {rating} after 1 game",
  share: "You have won {share} of {games} games ({low} to {high})",
  share_first: "You have won {share} of 1 game ({low} to {high})",
  between: "{elo} ({low} to {high})",
  at_least: "{elo} (above {low})",
  at_most: "{elo} (below {high})",
  vague: "{elo} (too few games for an interval)",
  unplayed: "Finish a match against one of these machines, and your rating stands in the table.",
  unplayed_alone: "Finish a match on this board, and your share stands in the table.",
  left_out: "Your matches that do not count: {reasons}.",
  people: "{count} with other people or on both seats",
  practice: "{count} in practice",
  unrated: "{count} against a machine that is not in the table as it played",
  altered: "{count} with moves taken back, begun from another, read from a file or joined later",
  helped: "{count} with hints, analyses or overlays",
};
