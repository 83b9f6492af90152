// @ts-check
/** What the page of rankings says, in English. */

export default {
  title: "Rankings",
  about: "A ranking is a table of learned move values. An agent that reads it plays the move with the best value.",
  game: "Game",
  board: "Board",
  values: "Values",
  made: "Made",
  none: "no ranking of your own",
  play: "Play it",
  export: "Export",
  export_shipped: "Export ours",
  import: "Import",
  reset: "Delete",
  confirm: "Delete the ranking of {game} {board}? It cannot be brought back, unless you exported it.",
  imported: "Imported {values} values for {game} {board}.",
  deleted: "The ranking of {game} {board} is deleted.",
  not_json: "{name} is not a rankings file: it holds no JSON.",
  visitors: "Only the administrator of this server may import and delete rankings.",
  log_in: "Log in",
  how_title: "Make one",
  how: "Train a ranking in the terminal, then import the file ranking.json of the run:",
};
