// @ts-check
/** What is said of a board that cannot be shown, in French. */

/** @type {Record<keyof typeof import("./fallback.en.js").default, string>} */
export default {
  broken_board: "Le plateau du jeu ne peut être affiché ; en voici un simple. L’auteur du jeu doit le savoir :",
};
