// @ts-check
/** What the page of an invitation says, in English. */

export default {
  ask: "You are invited to a match of {title}.",
  ask_by: "{name} invites you to a match of {title}.",
  take: "Take the seat",
  used: "This invitation has been used.",
  who: "{title} is played by {names}.",
  and: " and ",
  person: "person {number}",
  watch: "Watch the match",
  look: "See the match",
  clock: "{minutes} min + {seconds} s",
  practice: "practice: moves may be taken back, and engine help is open to both",
  no_help: "without engine help",
};
