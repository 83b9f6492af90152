// @ts-check
/** What is said of the agents that a run keeps, in English. */

export default {
  title: "Play what it has learned",
  step: "Step {step}",
  play: "Play against step {step}",
  watch: "Watch step {step} play",
  show: "Show what it would do",
  moves: "Position after {count} random moves",
  would: "At step {step} it would play:",
  share: "{share} %",
  against: "Opponent",
  meet: "Let step {one} meet step {two}",
  export: "Export as a file",
  agents: "Kept agents",
  visitors: "The administrator can keep an agent as a level.",
};
