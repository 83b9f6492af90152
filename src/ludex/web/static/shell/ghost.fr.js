// @ts-check
/** What the page of a ghost says, in French. */

export default {
  title: "Jouer le fantôme : {game}",
  about: "Jouez depuis la même position, avec la même graine et la même machine, et comparez les résultats.",
  against: "contre {opponent}",
  alone: "en solitaire",
  from: "après {ply} coups",
  from_start: "depuis le début",
  results: "Les résultats de tous ceux qui l’ont joué",
  player: "Joueur",
  result: "Résultat",
  moves: "Coups",
  time: "Temps",
  seconds: "{seconds} s",
  won: "gagné",
  lost: "perdu",
  drawn: "nul",
  live: "en cours",
  challenger: "Le défieur",
  somebody: "Quelqu’un",
  hidden: "Vous pourrez regarder les autres parties quand la vôtre sera finie.",
  play: "Jouer",
  again: "Rejouer",
  link: "Copier le lien pour un ami",
  copied: "Le lien est dans le presse-papiers.",
  copy_by_hand: "Copiez ce lien : {link}",
};
