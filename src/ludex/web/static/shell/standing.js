// @ts-check
/** How a match stands, in one sentence, and who sits in it. */

import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** @typedef {import("./renderer.js").MatchView} MatchView */
/** @typedef {import("./renderer.js").Renderer} Renderer */
/** @typedef {MatchView["seats"][number]} Seat */

/** @param {string} name as records have it @returns {string} */
export function seatName(name) {
  return name === "you" ? t("you") : name === "open" ? t("open_seat") : name;
}

/** A machine's name, or what is said of it, as screens have room for: an engine's command without its folders. @param {string} text */
export function machineName(text) {
  return text.startsWith("ugi:") ? text.replaceAll(/[^\s":=]*\//g, "") : text;
}

/** @param {Seat} seat @returns {string} */
export function holder(seat) {
  if (seat.kind === "machine") return machineName(seat.name);
  return seat.you ? t("you") : seat.open ? t("open_seat") : t("guest");
}

/** A player by the name of the side where the game has such names. @param {MatchView} match @param {Renderer} renderer @param {number} player */
export function side(match, renderer, player) {
  return renderer.sides?.()[player] ?? (match.seats.length > 1 ? t("player", { number: player + 1 }) : "");
}

/** Who a player is: a machine's name with its side, or the side of a person. @param {MatchView} match @param {Renderer} renderer @param {number} player */
export function named(match, renderer, player) {
  const seat = match.seats[player];
  const sideName = side(match, renderer, player);
  if (!seat) return sideName;
  if (sideName && (seat.kind === "person" || twice(match, seat.name))) return sideName;
  return holder(seat);
}

/** @param {MatchView} match @param {string} name */
function twice(match, name) {
  return match.seats.filter((seat) => seat.name === name).length > 1;
}

/** @param {MatchView} match @param {Renderer} renderer @returns {string} */
export function standing(match, renderer) {
  if (match.aborted !== null) return t("aborted", { reason: match.aborted });
  if (match.outcome) return ending(match, match.outcome, renderer);
  if (match.to_move === null) return match.status;
  const seat = match.seats[match.to_move];
  const who = named(match, renderer, match.to_move);
  if (!seat) return match.status;
  if (seat.kind === "machine") return t("is_thinking", { who });
  if (seat.open) return t("waiting");
  if (!seat.you || match.seats.filter((one) => one.you).length > 1) return t("to_move", { who });
  return match.seats.length > 1 ? t("your_turn_as", { side: side(match, renderer, match.to_move) }) : t("your_turn");
}

/** @param {MatchView} match @param {NonNullable<MatchView["outcome"]>} outcome @param {Renderer} renderer */
function ending(match, outcome, renderer) {
  const reason = told(outcome.reason, renderer);
  const mine = match.seats.filter((seat) => seat.you);
  if (match.seats.length === 1) {
    const score = outcome.scores[0] ?? 0;
    return t(score > 0 ? "solved" : score < 0 ? "unsolved" : "undecided", { reason });
  }
  const winner = outcome.scores.findIndex((score) => score > 0);
  if (winner < 0) return t("draw", { reason });
  if (mine.length === 1) return t(mine[0]?.player === winner ? "you_won" : "you_lost", { reason });
  return t("wins", { who: named(match, renderer, winner), reason });
}

/** @param {string} reason @param {Renderer} renderer */
function told(reason, renderer) {
  if (reason === "resignation") return t("reason_resignation");
  if (reason === "time forfeit") return t("reason_time_forfeit");
  if (reason === "forfeit") return t("reason_forfeit");
  return renderer.reason?.(reason) ?? reason;
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago a time was, in words. @param {string} utc */
export function ago(utc) {
  const seconds = (Date.now() - Date.parse(utc)) / 1000;
  const words = new Intl.RelativeTimeFormat(preferences.language, { numeric: "auto" });
  for (const [unit, length] of UNITS) if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  return words.format(0, "second");
}
