// @ts-check
/** What every page says, in French. */

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  games: "Jeux",
  tournaments: "Tournois",
  leaderboard: "Palmarès",
  lab: "Laboratoire",
  runs: "Entraînements",
  administrator: "Administration",
  skip: "Aller au contenu",
  theme: "Couleurs",
  theme_system: "comme le système",
  theme_light: "clair",
  theme_dark: "sombre",
  settings: "Vos réglages",
  language: "Langue",
  loading: "Chargement…",
  offline: "Le serveur ne répond pas. Est-il lancé ?",
  unreadable: "Le serveur a donné une réponse illisible (statut {status}).",
  not_found: "Il n’y a rien à cette adresse.",
  to_home: "Vers les jeux",
  close: "Fermer",
  you: "Vous",
  open_seat: "Place libre",
  guest: "Invité",
  reason_forfeit: "forfait",
};
