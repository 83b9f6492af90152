// @ts-check
/** How results are written: numbers, ratings, shares and points. */

import { preferences } from "./preferences.js";

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
