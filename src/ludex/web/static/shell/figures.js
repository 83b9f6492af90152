// @ts-check
/** How results are written: numbers, ratings, shares and points. */

import { preferences } from "./preferences.js";

/** @param {number} value @param {number} [digits] */
export function figure(value, digits = 0) {
  return new Intl.NumberFormat(preferences.language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

/** What an average player has: people know ratings as numbers above zero. */
export const AVERAGE = 1500;

/** A rating as people read it. @param {number} elo above or below the average */
export function rating(elo) {
  return new Intl.NumberFormat(preferences.language, { useGrouping: false, maximumFractionDigits: 0 }).format(
    AVERAGE + elo,
  );
}

/** @param {number} share of 0..1 */
export function percent(share) {
  return new Intl.NumberFormat(preferences.language, {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(share);
}

/** @param {number} points whole or half ones */
export function pointsText(points) {
  const whole = Math.floor(points);
  return points === whole ? figure(whole) : `${whole ? figure(whole) : ""}½`;
}
