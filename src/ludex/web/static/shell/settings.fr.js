// @ts-check
/** What the page of settings says, in French. */

/** @type {typeof import("./settings.en.js").default} */
export default {
  title: "Vos réglages",
  documentation: "Documentation (en anglais) : tutoriels, guides et référence",
  nickname: "Pseudonyme",
  nickname_note: "De 2 à 20 lettres, chiffres, espaces ou - _ . ' Tous ceux qui voient vos parties le voient. Laissez vide pour n’en avoir aucun.",
  save: "Enregistrer",
  back: "Retour à la partie",
  saved: "Les autres vous voient maintenant sous le nom de {name}.",
  nameless: "Vous n’avez plus de pseudonyme.",
  sound: "Sons",
  sound_note: "De courtes notes pour les coups et la fin d’une partie.",
  confirm: "Un second toucher confirme un coup",
  confirm_note: "Sur écran tactile, quand un coup ne peut pas être repris : avec pendule, dés ou secrets, et contre des personnes. Un doigt qui glisse ne coûte alors rien, mais chacun de ces coups demande deux touchers.",
  emotes: "Signes des autres joueurs",
  emotes_note: "Bonjour, joli coup, oups et merci, dans les parties entre deux personnes.",
};
