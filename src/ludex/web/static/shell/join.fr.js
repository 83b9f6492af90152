// @ts-check
/** What the page of an invitation says, in French. */

/** @type {Record<keyof typeof import("./join.en.js").default, string>} */
export default {
  ask: "On vous invite à une partie de {title}.",
  ask_by: "{name} vous invite à une partie de {title}.",
  take: "Prendre la place",
  used: "Cette invitation a déjà servi.",
  who: "{title} : {names} jouent.",
  and: " et ",
  person: "la personne {number}",
  watch: "Regarder la partie",
  look: "Voir la partie",
  clock: "{minutes} min + {seconds} s",
  practice: "entraînement : on peut reprendre ses coups, et l’aide des moteurs est ouverte aux deux",
  no_help: "sans l’aide d’un moteur",
};
