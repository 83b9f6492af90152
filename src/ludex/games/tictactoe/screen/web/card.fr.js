// @ts-check
/** What is said of the game and of its machines, in French. */

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Morpion",
  summary: "Trois alignés, et tout plateau (m,n,k) : un classement appris avec symétries, et à côté un solveur exact.",
  agents: {
    ranking: "gagne en un coup, pare en un coup, sinon le plus grand Q appris",
    perfect: "le meilleur coup exact, jusqu’à 16 cases",
    tactical: "gagne en un coup, pare en un coup, sinon la première case venue ; sur des plateaux de toute taille",
    random: "n’importe quel coup permis, au hasard",
    minimax: "cherche tous les coups jusqu’à sa limite",
    mcts: "joue des parties au hasard et suit les meilleures",
  },
};
