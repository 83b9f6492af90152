// @ts-check
/** What is said of the link to a free seat, in French. */

/** @type {typeof import("./invitation.en.js").default} */
export default {
  title: "Envoyez ce lien à un ami",
  copy: "Copier l’invitation",
  first: "La première personne qui l’ouvre prend la place libre.",
  nameless: "Elle ne verra pas qui l’invite :",
  choose: "choisissez un pseudonyme",
};
