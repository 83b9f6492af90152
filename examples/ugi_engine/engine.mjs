#!/usr/bin/env node
// A tic-tac-toe engine in JavaScript that speaks UGI: it wins if it can, blocks if it must, else takes the best free cell.
import { createInterface } from "node:readline";

const CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"];
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const PREFERENCE = ["b2", "a1", "c1", "a3", "c3", "b1", "a2", "c2", "b3"];

let moves = [];

/** The cell that completes a line of the player's marks, if there is one. */
function completing(player) {
  const marks = CELLS.map((cell) => moves.indexOf(cell));
  const own = (index) => marks[index] >= 0 && marks[index] % 2 === player;
  const line = LINES.find((cells) => cells.filter(own).length === 2 && cells.some((index) => marks[index] < 0));
  return line && CELLS[line.find((index) => marks[index] < 0)];
}

function bestMove() {
  const player = moves.length % 2;
  return completing(player) ?? completing(1 - player) ?? PREFERENCE.find((cell) => !moves.includes(cell));
}

/** Commands by their first word; each returns the lines of the answer. */
const COMMANDS = {
  ugi: () => ["id name Nodette", "id author an example of Ludex", "ugiok"],
  isready: () => ["readyok"],
  uginewgame: () => ((moves = []), []),
  position: (words) => ((moves = words.slice(words.indexOf("moves") + 1 || words.length)), []),
  go: () => [`bestmove ${bestMove()}`],
  quit: () => process.exit(0),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  for (const answer of COMMANDS[command]?.(words) ?? []) console.log(answer);
});
