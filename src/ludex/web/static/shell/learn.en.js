// @ts-check
/** What the page of a tutorial says, in English. */

export default {
  title: "Learn {game}",
  step: "Step {number} of {count}",
  steps: "Steps of the tutorial",
  done_step: "done",
  task: "Your task",
  next: "Next",
  finish: "Finish",
  skip: "Skip this step",
  again: "Try it again",
  leave: "Leave the tutorial",
  not_yet: "Not yet.",
  not_allowed: "That is not allowed.",
  right: "Right!",
  complete: "You know the game",
  end: "The end of the tutorial",
  complete_text: "You have taken every step. The best way to go on is a first game; the rules stay one tap away.",
  skipped_text: "You have reached the end. Steps that you skipped are open whenever you want them; the best way to go on is a first game.",
  play: "Play a first game",
  other: "Other games",
  restart: "Start again",
};
