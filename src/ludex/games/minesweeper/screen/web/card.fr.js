// @ts-check
/** What is said of the game and of its machines, in French. */

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Démineur",
  summary: "Ouvrez toutes les cases sans mine : chaque nombre compte les mines autour de lui.",
  agents: {
    expert: "probabilités exactes, fin de partie exacte, et un pari d’avance avant elle",
    exact: "probabilités exactes, la case la plus sûre",
    net: "un réseau qui a appris des solveurs et ne calcule rien d’avance",
    heuristic: "des règles, sinon ce que suggèrent les nombres voisins",
    rules: "seulement ce que les règles prouvent ; abandonne là où il faut parier",
    random: "n’importe quelle case cachée, au hasard",
  },
};
