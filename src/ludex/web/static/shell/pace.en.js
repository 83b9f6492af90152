// @ts-check
/** What the controls of a match between machines say, in English. */

export default {
  label: "Pace of the match",
  pause: "Pause",
  go_on: "Go on",
  step: "Next move",
  step_title: "Have the machine to move play one move",
  step_paused: "Pause the match first: then it is played move by move.",
  speed: "Speed",
  slow: "Slow",
  medium: "Medium",
  fast: "Fast",
};
