// @ts-check
/** What is said of the game and of its machines, in French. */

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Quoridor",
  summary: "Atteignez le premier l’autre bord, et posez des murs sur le chemin de l’autre.",
  agents: {
    easy: "regarde votre réponse et se trompe beaucoup",
    normal: "regarde votre réponse et se trompe un peu",
    hard: "regarde deux coups au-delà du sien et se trompe à peine",
    hell: "regarde quatre coups au-delà du sien, sans erreur",
    master: "le moteur : cherche aussi loin que sa limite le permet",
    walker: "marche par le plus court chemin sans jamais poser de mur",
  },
};
