// @ts-check
/** A person's rating from their matches against agents, in words. */

import { figure, rating } from "./figures.js";
import { texts } from "./texts.js";

/** @typedef {import("./api.js").Schemas} Schemas */
/** @typedef {Schemas["PersonalBoard"]} PersonalBoard */

const say = texts("shell", "rating");

/** @type {("people" | "practice" | "unrated" | "altered" | "helped")[]} */
const REASONS = ["people", "practice", "unrated", "altered", "helped"];

/** A person's board, if it is among theirs. @param {Schemas["PersonalRatings"]} ratings @param {string} game @param {string} preset */
export function boardOf(ratings, game, preset) {
  return ratings.boards.find((board) => board.game === game && board.preset === preset);
}

/** The rating alone, with a question mark while it is provisional. @param {PersonalBoard} board */
export function ratingFigure(board) {
  return board.estimate === null ? "–" : `${rating(board.estimate)}${board.provisional ? "?" : ""}`;
}

/**
 * How to get a rating, and which matches did not count; empty if there is nothing to add.
 * @param {PersonalBoard | undefined} board @param {boolean} alone
 */
export function ratingNote(board, alone) {
  const reasons = board ? REASONS.filter((reason) => board.left_out[reason] > 0) : [];
  const sentences = [];
  if (!board?.games) sentences.push(say(alone ? "unplayed_alone" : "unplayed"));
  if (board && reasons.length)
    sentences.push(
      say("left_out", {
        reasons: reasons.map((reason) => say(reason, { count: figure(board.left_out[reason]) })).join(", "),
      }),
    );
  return sentences.join(" ");
}
