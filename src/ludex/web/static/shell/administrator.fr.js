// @ts-check
/** What the administrator's page says, in French. */

/** @type {Record<keyof typeof import("./administrator.en.js").default, string>} */
export default {
  title: "Administration",
  logged_in: "Vous administrez ce serveur, pendant douze heures et dans ce navigateur.",
  to_games: "Vers les jeux",
  log_out: "Se déconnecter",
  how: "Ouvrez le lien de connexion que le serveur a affiché à son démarrage, ou saisissez le jeton qu’il a reçu.",
  no_token: "Ouvrez le lien de connexion que le serveur a affiché à son démarrage. Il ne sert qu’une fois ; redémarrez le serveur pour en obtenir un autre.",
  token: "Jeton",
  log_in: "Se connecter",
  class_title: "Jouer contre votre propre agent",
  game: "Jeu",
  class: "Classe, py:paquet.module:Classe ou py:./fichier.py:Classe sur le serveur",
  play_class: "Jouer",
};
