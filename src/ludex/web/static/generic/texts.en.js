// @ts-check
/** What the generic board says, in English. */

export default {
  moves: "Legal moves",
  filter: "Find a move",
  none: "No move can be played now.",
  free: "{name}, free",
  nothing_here: "Nothing can be played at {name}.",
  go_on: "{name} chosen. Choose where to go.",
  edges: "Edges",
  win: "win",
  draw: "draw",
  loss: "loss",
  keypad: "choose a cell, as on a keypad",
  arrows: "move the cursor",
  enter: "choose the cell",
  escape: "choose another cell",
  key_arrows: "arrows",
};
