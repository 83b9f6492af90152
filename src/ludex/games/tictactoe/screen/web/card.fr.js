// @ts-check
/** What is said of the game and of its machines, in French. */

/** @type {import("/static/types/renderer.js").Card} */
export default {
  title: "Morpion",
  summary: "Trois marques alignées gagnent ; sur de plus grands plateaux, il en faut davantage.",
  agents: {
    ranking: "gagne en un coup, pare en un coup, sinon le plus grand Q appris",
    perfect: "le meilleur coup exact, jusqu’à 16 cases",
    tactical: "gagne en un coup, pare en un coup, sinon la première case venue ; sur des plateaux de toute taille",
  },
};
