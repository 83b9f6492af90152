// @ts-check
/** What the page of kept agents says, in English. */

export default {
  title: "Kept agents",
  about: "Agents that were trained here or brought by a friend. Each is a level of its game on the home page.",
  none: "No agent is kept yet. Open a training run and keep one of its steps.",
  play: "Play",
  watch: "Watch",
  export: "Export",
  remove: "Remove",
  confirm: "Remove “{title}”?",
  removed: "“{title}” is removed.",
  imported: "“{title}” is a level on the home page now.",
  import_title: "Import an agent",
  import_about: "ONNX, safetensors or a ranking in JSON, never code. The file is checked and plays some moves in a process of its own before it is kept.",
  file: "File",
  game: "Game",
  board: "Board",
  name: "Name",
  import: "Import",
  checking: "Checking …",
  visitors: "The administrator keeps, imports and removes agents.",
};
