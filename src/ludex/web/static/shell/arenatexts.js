// @ts-check
/** What the pages of tournaments and the leaderboard say, and how they write figures. */

import { preferences } from "./preferences.js";
import { dictionary } from "./texts.js";

export const say = dictionary({
  en: {
    none: "There is no tournament yet.",
    none_how: "A tournament with a name is kept and shown here while it is played:",
    damaged: "Tournaments that cannot be read",
    games_of: "{games} of {planned} games",
    last_game: "last game {ago}",
    begun: "begun {ago}",
    unfinished: "in progress",
    finished: "finished",
    "round-robin": "round robin",
    gauntlet: "gauntlet",
    swiss: "Swiss",
    league: "league, the same seeds for everybody",
    seed: "seed {seed}",
    movetime: "{ms} ms a move",
    depth: "depth {depth}",
    nodes: "{nodes} nodes a move",
    clock: "clock {seconds} s + {increment} s",
    openings: "{plies} random opening plies",
    opening: "1 random opening ply",
    standings: "Standings",
    nothing_yet: "The first games are being played.",
    agent: "Agent",
    rating: "Rating",
    win_rate: "Won",
    interval: "95 % interval",
    superiority: "LOS",
    superiority_long: "Likelihood of superiority over the next",
    score: "Score",
    results: "Won, drawn, lost",
    results_alone: "Won, lost",
    games: "Games",
    forfeits: "Forfeits",
    forfeits_told: "{forfeits} forfeited, {time} lost on time",
    thinking: "ms a move",
    rated: "Ratings are those of Bradley and Terry on Elo’s scale, on average 0, with 95 % intervals over side-swapped pairs.",
    rated_alone: "Share of games won with its 95 % interval.",
    superiority_told: "LOS: likelihood of superiority over the next.",
    prior: "Somebody took or lost every point: ratings exist only with one imaginary drawn pair in each meeting.",
    cross: "Who beat whom",
    cross_hint: "Points of the row against the column. Choose a cell to see its games.",
    cross_cell: "{one} against {other}: {points} of {games}",
    curve: "Rating over games played",
    curve_alone: "Share won over games played",
    axis: "games played",
    list: "Games",
    every_agent: "everybody",
    against: "against",
    no_games: "No such game is finished yet.",
    older: "Older games",
    won: "won",
    lost: "lost",
    undecided: "undecided",
    plies: "{count} plies",
    on_time: "on time",
    faults: "Forfeits and their reasons",
    board_intro: "How strong the machines are that ship with Ludex. Nobody’s time is bounded in these games, so the same command gives the same games on any machine.",
    measured: "{games} games, seed {seed}, 95 % intervals; measured {date} on {machine}.",
    commands: "How it was measured",
    cannot_read: "Results that cannot be read",
  },
  fr: {
    none: "Aucun tournoi pour l’instant.",
    none_how: "Un tournoi qui porte un nom est gardé, et montré ici pendant qu’il se joue :",
    damaged: "Tournois illisibles",
    games_of: "{games} parties sur {planned}",
    last_game: "dernière partie {ago}",
    begun: "commencé {ago}",
    unfinished: "en cours",
    finished: "terminé",
    "round-robin": "toutes rondes",
    gauntlet: "défi du premier",
    swiss: "système suisse",
    league: "ligue, les mêmes graines pour tous",
    seed: "graine {seed}",
    movetime: "{ms} ms par coup",
    depth: "profondeur {depth}",
    nodes: "{nodes} nœuds par coup",
    clock: "pendule {seconds} s + {increment} s",
    openings: "{plies} coups d’ouverture au hasard",
    opening: "1 coup d’ouverture au hasard",
    standings: "Classement",
    nothing_yet: "Les premières parties se jouent.",
    agent: "Agent",
    rating: "Cote",
    win_rate: "Gagné",
    interval: "Intervalle à 95 %",
    superiority: "PS",
    superiority_long: "Probabilité d’être supérieur au suivant",
    score: "Score",
    results: "Gagné, nul, perdu",
    results_alone: "Gagné, perdu",
    games: "Parties",
    forfeits: "Forfaits",
    forfeits_told: "{forfeits} par forfait, {time} perdues au temps",
    thinking: "ms par coup",
    rated: "Les cotes sont celles de Bradley et Terry à l’échelle d’Elo, de moyenne 0, avec des intervalles à 95 % sur des paires aux places échangées.",
    rated_alone: "Part de parties gagnées avec son intervalle à 95 %.",
    superiority_told: "PS : probabilité d’être supérieur au suivant.",
    prior: "Quelqu’un a pris ou perdu tous les points : les cotes n’existent qu’avec une paire nulle imaginaire dans chaque rencontre.",
    cross: "Qui a battu qui",
    cross_hint: "Points de la ligne contre la colonne. Choisissez une case pour voir ses parties.",
    cross_cell: "{one} contre {other} : {points} sur {games}",
    curve: "Cote au fil des parties",
    curve_alone: "Part gagnée au fil des parties",
    axis: "parties jouées",
    list: "Parties",
    every_agent: "tous",
    against: "contre",
    no_games: "Aucune partie de ce genre n’est terminée.",
    older: "Parties plus anciennes",
    won: "gagnée",
    lost: "perdue",
    undecided: "indécise",
    plies: "{count} coups",
    on_time: "au temps",
    faults: "Forfaits et leurs raisons",
    board_intro: "La force des machines livrées avec Ludex. Personne n’y joue au temps : la même commande donne les mêmes parties sur toute machine.",
    measured: "{games} parties, graine {seed}, intervalles à 95 % ; mesuré le {date} sur {machine}.",
    commands: "Comment ce fut mesuré",
    cannot_read: "Résultats illisibles",
  },
});

/** The names of formats the pages know; another is shown as it is. @param {string} name */
export function formatName(name) {
  return name === "round-robin" || name === "gauntlet" || name === "swiss" || name === "league" ? say(name) : name;
}

/** @param {number} value @param {number} [digits] */
export function figure(value, digits = 0) {
  return new Intl.NumberFormat(preferences.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** @param {number} value with its sign */
export function signed(value) {
  return new Intl.NumberFormat(preferences.language, { signDisplay: "exceptZero", maximumFractionDigits: 0 }).format(value).replace("-", "−");
}

/** @param {number} share of 0..1 */
export function percent(share) {
  return new Intl.NumberFormat(preferences.language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share);
}

/** @param {number} points whole or half ones */
export function pointsText(points) {
  const whole = Math.floor(points);
  return points === whole ? figure(whole) : `${whole ? figure(whole) : ""}½`;
}
