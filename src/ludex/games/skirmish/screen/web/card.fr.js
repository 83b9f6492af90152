// @ts-check
/** What is said of the game and of its machines, in French. */

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Escarmouche",
  summary: "Un jeu de guerre sur hexagones : placez votre troupe hex par hex, puis bougez, tirez, chargez et combattez pendant cinq tours.",
  agents: {
    normal: "un réseau qui a appris où se placer et qu’y faire, et se trompe parfois au combat",
    easy: "le même réseau, qui se trompe souvent au combat et place ses unités sur les premiers hexes libres",
    hard: "le même réseau, qui joue toujours son premier choix",
    objective: "un planificateur : pèse chaque hex en points, dégâts attendus exacts et risque",
    aggressive: "se déploie en avant, s’approche, charge quand l’arrivée est probable",
    defensive: "garde ses distances, tire à couvert, tient les objectifs de sa moitié",
    greedy: "les premiers hexes libres par colonne et ligne, puis le meilleur coup et le but le plus proche",
    random: "n’importe quelle action permise, au hasard",
  },
};
