// @ts-check
/** Draws and signs between two people in a match, in French. */

/** @type {typeof import("./people.en.js").default} */
export default {
  label: "Entre vous deux",
  draw: "Proposer la nulle",
  draw_later: "Vous avez déjà proposé la nulle dans cette position : la prochaine proposition est possible après un coup.",
  draw_yours: "Vous proposez la nulle. Tout coup joué retire la proposition.",
  draw_theirs: "{player} propose la nulle. Un coup de l’un des joueurs retire la proposition.",
  draw_accept: "Accepter la nulle",
  draw_decline: "Refuser",
  draw_declined: "L’autre joueur a refusé la nulle.",
  rematch_theirs: "L’autre joueur propose une revanche en changeant de côté.",
  rematch_decline: "Refuser la revanche",
  draw_withdraw: "Retirer la proposition",
  signs: "Signes à l’autre joueur",
  signs_switch: "Signes",
  signs_off: "Les signes sont désactivés dans toutes vos parties, ceux des autres aussi. Réactivez-les ici ou dans vos réglages.",
  signs_on: "Les signes sont activés dans toutes vos parties.",
  hello: "Bonjour !",
  nice: "Joli coup !",
  oops: "Oups !",
  thanks: "Merci !",
};
