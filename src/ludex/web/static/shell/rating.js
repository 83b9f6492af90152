// @ts-check
/** A person's rating from their matches against agents, in words. */

import { figure, percent, signed } from "./figures.js";
import { dictionary } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["PersonalBoard"]} PersonalBoard */

const say = dictionary({ en: () => import("./rating.en.js"), fr: () => import("./rating.fr.js") });

/** @type {("people" | "practice" | "unrated" | "altered" | "helped")[]} */
const REASONS = ["people", "practice", "unrated", "altered", "helped"];

/** A person's board, if it is among theirs. @param {Schemas["PersonalRatings"]} ratings @param {string} game @param {string} preset */
export function boardOf(ratings, game, preset) {
  return ratings.boards.find((board) => board.game === game && board.preset === preset);
}

/** The rating alone, with a question mark while it is provisional. @param {PersonalBoard} board */
export function ratingFigure(board) {
  return board.estimate === null ? "–" : `${signed(board.estimate)}${board.provisional ? "?" : ""}`;
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
  const [low, high] = board.elo_ci95 ?? [null, null];
  if (low !== null && high !== null) return say("between", { elo, low: signed(low), high: signed(high) });
  if (low !== null) return say("at_least", { elo, low: signed(low) });
  return high !== null ? say("at_most", { elo, high: signed(high) }) : say("vague", { elo });
}

/** How to get a rating, and which matches did not count; empty if there is nothing to add. @param {PersonalBoard | undefined} board @param {boolean} alone */
export function ratingNote(board, alone) {
  const reasons = board ? REASONS.filter((reason) => board.left_out[reason] > 0) : [];
  const sentences = [];
  if (!board?.games) sentences.push(say(alone ? "unplayed_alone" : "unplayed"));
  if (board && reasons.length) sentences.push(say("left_out", { reasons: reasons.map((reason) => say(reason, { count: figure(board.left_out[reason]) })).join(", ") }));
  return sentences.join(" ");
}
