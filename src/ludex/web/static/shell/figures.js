/** How results are written: numbers, ratings, shares and points. */

import { numeral } from "./texts.js";

/** @param {number} value @param {number} [digits] */
export const figure = (value, digits = 0) =>
  numeral(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** What an average player has: people know ratings as numbers above zero. */
export const AVERAGE = 1500;

/** A rating as people read it. @param {number} elo above or below the average */
export const rating = (elo) => numeral(AVERAGE + elo, { useGrouping: false, maximumFractionDigits: 0 });

/** @param {number} share of 0..1 */
export const percent = (share) =>
  numeral(share, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} points whole or half ones */
export function pointsText(points) {
  const whole = Math.floor(points);
  return points === whole ? figure(whole) : `${whole ? figure(whole) : ""}½`;
}
