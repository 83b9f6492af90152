// @ts-check
/** What the page of kept agents says, in French. */

/** @type {Record<keyof typeof import("./agents.en.js").default, string>} */
export default {
  title: "Agents gardés",
  about: "Des agents entraînés ici ou apportés par un ami. Chacun est un niveau de son jeu sur la page d’accueil.",
  none: "Aucun agent n’est gardé pour l’instant. Ouvrez un entraînement et gardez l’une de ses étapes.",
  play: "Jouer",
  watch: "Regarder",
  export: "Exporter",
  remove: "Retirer",
  confirm: "Retirer « {title} » ?",
  removed: "« {title} » est retiré.",
  imported: "« {title} » est désormais un niveau de la page d’accueil.",
  import_title: "Importer un agent",
  import_about: "ONNX, safetensors ou un classement en JSON, jamais de code. Le fichier est vérifié et joue quelques coups dans un processus à part avant d’être gardé.",
  file: "Fichier",
  game: "Jeu",
  board: "Plateau",
  name: "Nom",
  import: "Importer",
  checking: "Vérification…",
  visitors: "L’administrateur garde, importe et retire les agents.",
};
