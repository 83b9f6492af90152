/** The state of a match in one sentence, and the names of its players. */

import { machineName } from "./names.js";
import { preferences } from "./preferences.js";
import { t, texts } from "./texts.js";

/** @typedef {MatchView["seats"][number]} Seat */

const say = texts("match", "page");

/** @param {Seat} seat @returns {string} */
export function holder(seat) {
  if (seat.kind === "machine") return machineName(seat.title?.[preferences.language] ?? seat.name);
  return seat.you ? t("you") : seat.open ? t("open_seat") : (seat.nickname ?? t("guest"));
}

/**
 * A player by the name of the side where the game has such names.
 * @param {MatchView} match @param {Renderer} renderer @param {number} player
 */
export function side(match, renderer, player) {
  return renderer.sides?.(match)[player] ?? (match.seats.length > 1 ? say("player", { number: player + 1 }) : "");
}

/**
 * A player's name: an agent's name with its side, or the side of a person.
 * @param {MatchView} match @param {Renderer} renderer @param {number} player
 */
export function named(match, renderer, player) {
  const seat = match.seats[player];
  const sideName = side(match, renderer, player);
  if (!seat) return sideName;
  if (seat.nickname && !seat.you) return seat.nickname;
  if (sideName && (seat.kind === "person" || twice(match, seat.name))) return sideName;
  return holder(seat);
}

/** @param {MatchView} match @param {string} name */
function twice(match, name) {
  return match.seats.filter((seat) => seat.name === name).length > 1;
}

/** Whether this person plays another one. @param {MatchView} match */
export function facesAnother(match) {
  return (
    match.seats.length > 1 &&
    match.seats.every((seat) => seat.kind === "person" && !seat.open) &&
    match.seats.filter((seat) => seat.you).length === 1
  );
}

/** Whether a board whose players sit at opposite sides is seen from the second one's. @param {MatchView} match */
export function isTurned(match) {
  const mine = match.seats.filter((seat) => seat.you);
  return mine.length === 1 && mine[0]?.player === 1;
}

/** Whether this person plays alone or against machines. @param {MatchView} match */
export function facesMachines(match) {
  const people = match.seats.filter((seat) => seat.kind === "person");
  return people.length === 1 && people[0]?.you === true;
}

/** Whether a match may count for a rating, so that a line is kept free for it. @param {MatchView} match */
export function mayCount(match) {
  return !match.practice && facesMachines(match);
}

/** @param {MatchView} match @param {Renderer} renderer @returns {string} */
export function standing(match, renderer) {
  if (match.aborted !== null)
    return say("aborted", { reason: renderer.reason?.(match.aborted, match) ?? match.aborted });
  if (match.outcome) return ending(match, match.outcome, renderer);
  if (match.to_move === null) return match.status;
  const seat = match.seats[match.to_move];
  const player = named(match, renderer, match.to_move);
  if (!seat) return match.status;
  if (seat.kind === "machine" && match.waiting !== null)
    return say("in_line", { player, place: ordinal(match.waiting) });
  if (match.pace?.paused && !match.searching) return say("paused", { player });
  // An action that is shown one by one has been decided already.
  if (seat.kind === "machine") return say(match.ply < match.plies ? "to_move" : "is_searching", { player });
  if (seat.open) return say("waiting");
  if (!seat.you || match.seats.filter((one) => one.you).length > 1) return say("to_move", { player });
  return match.seats.length > 1 ? say("your_turn_as", { side: side(match, renderer, match.to_move) }) : say("alone");
}

/** A place in line, such as 3rd or 3ᵉ. @param {number} place */
function ordinal(place) {
  const form = new Intl.PluralRules(preferences.language, { type: "ordinal" }).select(place);
  return say(/** @type {"place_other"} */ (`place_${form}`), { place });
}

/** @param {MatchView} match @param {NonNullable<MatchView["outcome"]>} outcome @param {Renderer} renderer */
function ending(match, outcome, renderer) {
  const reason = reasonText(match, outcome.reason, renderer);
  const mine = match.seats.filter((seat) => seat.you);
  if (match.seats.length === 1) {
    const score = outcome.scores[0] ?? 0;
    return say(score > 0 ? "solved" : score < 0 ? "unsolved" : "undecided", { reason });
  }
  const winner = outcome.scores.findIndex((score) => score > 0);
  if (winner < 0) return say("draw", { reason });
  if (mine.length === 1) return say(mine[0]?.player === winner ? "you_won" : "you_lost", { reason });
  return say("wins", { player: named(match, renderer, winner), reason });
}

/** @param {MatchView} match @param {string} reason @param {Renderer} renderer */
function reasonText(match, reason, renderer) {
  if (reason === "resignation") return say("reason_resignation");
  if (reason === "agreement") return say("reason_agreement");
  if (reason === "time forfeit") return say("reason_time_forfeit");
  if (reason === "forfeit") return t("reason_forfeit");
  return renderer.reason?.(reason, match) ?? reason;
}
