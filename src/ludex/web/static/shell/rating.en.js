// @ts-check
/** What is said of a person's own rating, in English. */

export default {
  unplayed: "Finish a match against one of these machines, and your rating stands in the table.",
  unplayed_alone: "Finish a match on this board, and your share stands in the table.",
  left_out: "Your matches that do not count: {reasons}.",
  people: "{count} with other people or on both seats",
  practice: "{count} in practice",
  unrated: "{count} against a machine that is not in the table as it played",
  altered: "{count} with moves taken back, begun from another or read from a file",
  helped: "{count} with hints, analyses or overlays",
};
