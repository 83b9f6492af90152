// @ts-check
/** What the page of rankings says, in French. */

/** @type {Record<keyof typeof import("./rankings.en.js").default, string>} */
export default {
  title: "Tables de valeurs",
  about: "Une table de valeurs dit ce que vaut chaque coup, par apprentissage. L’agent qui la lit joue le coup de plus grande valeur.",
  game: "Jeu",
  board: "Plateau",
  values: "Valeurs",
  made: "Créée",
  none: "pas de table à vous",
  play: "Jouer contre elle",
  export: "Exporter",
  export_shipped: "Exporter la nôtre",
  import: "Importer",
  reset: "Supprimer",
  confirm: "Supprimer la table de {game} {board} ? Elle sera perdue, sauf si vous l’avez exportée.",
  imported: "{values} valeurs importées pour {game} {board}.",
  deleted: "La table de {game} {board} est supprimée.",
  not_json: "{name} n’est pas une table de valeurs : ce n’est pas du JSON.",
  visitors: "Seul l’administrateur de ce serveur peut importer et supprimer des tables.",
  log_in: "Se connecter",
  how_title: "En créer une",
  how: "Entraînez une table dans le terminal, puis importez le fichier ranking.json de l’entraînement :",
};
