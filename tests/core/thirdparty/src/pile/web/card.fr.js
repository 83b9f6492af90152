// @ts-check

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Tas dessiné",
  summary: "Prendre un, deux ou trois ; qui prend le dernier gagne.",
  agents: { remainder: "calcule" },
};
