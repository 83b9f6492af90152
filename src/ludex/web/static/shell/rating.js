// @ts-check
/** What a person's matches against machines say of their strength, in words. */

import { figure, percent, signed } from "./arenatexts.js";
import { dictionary } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["PersonalBoard"]} PersonalBoard */

const say = dictionary({
  en: {
    rating: "Your rating: {rating} after {games} games",
    rating_first: "Your rating: {rating} after 1 game",
    share: "You have won {share} of {games} games ({low} to {high})",
    share_first: "You have won {share} of 1 game ({low} to {high})",
    between: "{elo} ({low} to {high})",
    at_least: "{elo} (above {low})",
    at_most: "{elo} (below {high})",
    vague: "{elo} (too few games for an interval)",
    above: "above {low}",
    below: "below {high}",
    unplayed: "Finish a match against one of these machines, and your rating stands in the table.",
    unplayed_alone: "Finish a match on this board, and your share stands in the table.",
    left_out: "Your matches that do not count: {reasons}.",
    people: "{count} with other people or on both seats",
    practice: "{count} in practice",
    unrated: "{count} against a machine that is not in the table as it played",
    altered: "{count} with moves taken back, begun from another, read from a file or joined later",
  },
  fr: {
    rating: "Votre cote : {rating} après {games} parties",
    rating_first: "Votre cote : {rating} après 1 partie",
    share: "Vous avez gagné {share} de {games} parties (de {low} à {high})",
    share_first: "Vous avez gagné {share} de 1 partie (de {low} à {high})",
    between: "{elo} (de {low} à {high})",
    at_least: "{elo} (plus de {low})",
    at_most: "{elo} (moins de {high})",
    vague: "{elo} (trop peu de parties pour un intervalle)",
    above: "plus de {low}",
    below: "moins de {high}",
    unplayed: "Terminez une partie contre l’une de ces machines, et votre cote figurera dans le tableau.",
    unplayed_alone: "Terminez une partie sur ce plateau, et votre part figurera dans le tableau.",
    left_out: "Vos parties qui ne comptent pas : {reasons}.",
    people: "{count} avec d’autres personnes ou aux deux places",
    practice: "{count} d’entraînement",
    unrated: "{count} contre une machine qui n’est pas dans le tableau telle qu’elle a joué",
    altered: "{count} avec des coups repris, commencées d’une autre, lues d’un fichier ou rejointes plus tard",
  },
});

/** @type {("people" | "practice" | "unrated" | "altered")[]} */
const REASONS = ["people", "practice", "unrated", "altered"];

/** A person's board, if it is among theirs. @param {Schemas["PersonalRatings"]} ratings @param {string} game @param {string} preset */
export function boardOf(ratings, game, preset) {
  return ratings.boards.find((board) => board.game === game && board.preset === preset);
}

/** The rating alone: a figure, or the bound that all wins or all losses leave. @param {PersonalBoard} board */
export function ratingFigure(board) {
  const [low, high] = board.elo_ci95 ?? [null, null];
  if (board.elo !== null) return signed(board.elo);
  return low !== null ? say("above", { low: signed(low) }) : high !== null ? say("below", { high: signed(high) }) : "–";
}

/** How a person stands after the matches that count, in a sentence. @param {PersonalBoard} board with at least one game */
export function ratingSentence(board) {
  const first = board.games === 1;
  const games = figure(board.games);
  if (board.score !== null && board.ci95) {
    const [low, high] = board.ci95;
    return say(first ? "share_first" : "share", { share: percent(board.score), games, low: percent(low), high: percent(high) });
  }
  return say(first ? "rating_first" : "rating", { rating: ratingWithInterval(board), games });
}

/** @param {PersonalBoard} board */
function ratingWithInterval(board) {
  const elo = ratingFigure(board);
  if (board.elo === null) return elo;
  const [low, high] = board.elo_ci95 ?? [null, null];
  if (low !== null && high !== null) return say("between", { elo, low: signed(low), high: signed(high) });
  if (low !== null) return say("at_least", { elo, low: signed(low) });
  return high !== null ? say("at_most", { elo, high: signed(high) }) : say("vague", { elo });
}

/** What to do for a rating, and what did not count for it; nothing where nothing is to be said. @param {PersonalBoard | undefined} board @param {boolean} alone */
export function ratingNote(board, alone) {
  const reasons = board ? REASONS.filter((reason) => board.left_out[reason] > 0) : [];
  const told = [];
  if (!board?.games) told.push(say(alone ? "unplayed_alone" : "unplayed"));
  if (board && reasons.length) told.push(say("left_out", { reasons: reasons.map((reason) => say(reason, { count: figure(board.left_out[reason]) })).join(", ") }));
  return told.join(" ");
}
