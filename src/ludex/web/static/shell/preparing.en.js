// @ts-check
/** What the pages say of a game that is being prepared, in English. */

export default {
  waiting: "Waiting…",
  begun: "Preparing…",
  preparing: "Preparing, {done} of {total}",
  failed: "Not available",
  starts: "Starts when ready…",
  starts_spoken: "The game is being prepared. The match starts by itself when it is ready.",
  match: "This game is being prepared on this machine for the first time. The match goes on by itself.",
};
