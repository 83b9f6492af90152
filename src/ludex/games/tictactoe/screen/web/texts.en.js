// @ts-check
/** What tic-tac-toe's screen says, in English. */

export default {
  board: "Board of {rows} rows and {cols} columns, {k} in a row win",
  free: "{name}, free",
  marked: "{name}, {mark}",
  taken: "{name} is taken.",
  win: "win",
  draw: "draw",
  loss: "loss",
  canonical: "Canonical board",
  transform: "Reached by {name}",
  canonical_why: "All turned and mirrored boards share one entry of the ranking.",
  keypad: "mark a cell, as on a keypad",
  arrows: "move the cursor",
  enter: "mark the cell",
  key_arrows: "arrows",
  line: "line",
  full: "board full",
  Identity: "no change",
  Rot90: "a quarter turn",
  Rot180: "a half turn",
  Rot270: "three quarter turns",
  ReflectVertical: "mirroring left and right",
  ReflectHorizontal: "mirroring top and bottom",
  ReflectMainDiagonal: "mirroring along the falling diagonal",
  ReflectAntiDiagonal: "mirroring along the rising diagonal",
};
