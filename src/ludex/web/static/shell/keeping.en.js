// @ts-check
/** What is said of keeping an agent of a run, in English. */

export default {
  tournament: "Tournament of {games} games",
  name: "Name",
  keep: "Keep as a level",
  kept: "“{title}” is a level on the home page now.",
};
