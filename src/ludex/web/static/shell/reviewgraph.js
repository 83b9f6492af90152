// @ts-check
/** The graph of a review: the first player's chances after every ply, and the moments that decided. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["ReviewView"]} ReviewView */

const WIDTH = 600;
const HEIGHT = 160;

/**
 * @param {ReviewView} review
 * @param {number} at the ply shown
 * @param {string} label
 * @param {(ply: number) => void} go
 */
export function reviewGraph(review, at, label, go) {
  const last = Math.max(1, review.probabilities.length - 1);
  const x = (/** @type {number} */ ply) => (WIDTH * ply) / last;
  const y = (/** @type {number} */ share) => HEIGHT * (1 - share);
  const known = review.probabilities.flatMap((share, ply) => (share === null ? [] : [{ ply, share }]));
  const line = known
    .map(({ ply, share }, index) => `${index ? "L" : "M"}${x(ply).toFixed(1)} ${y(share).toFixed(1)}`)
    .join("");
  const [begin, end] = [known[0], known[known.length - 1]];
  const area = begin && end ? `${line}L${x(end.ply).toFixed(1)} ${HEIGHT}L${x(begin.ply).toFixed(1)} ${HEIGHT}Z` : "";
  const choose = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    go(Math.round((last * (event.clientX - box.left)) / box.width));
  };
  const share = review.probabilities[at];
  return html`<svg class="review-graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
    aria-label=${label} @click=${choose}>
    <rect class="review-below" width=${WIDTH} height=${HEIGHT} />
    ${svg`<path class="review-area" d=${area} />`}
    ${svg`<line class="review-even" x1="0" x2=${WIDTH} y1=${HEIGHT / 2} y2=${HEIGHT / 2} />`}
    ${svg`<path class="review-line" d=${line} />`}
    ${review.key_moments.map((ply) => svg`<line class="review-moment" x1=${x(ply + 1)} x2=${x(ply + 1)} y1="0" y2=${HEIGHT} />`)}
    ${svg`<line class="review-now" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT} />`}
    ${share === null || share === undefined ? nothing : svg`<path class="review-dot" d="M${x(at)} ${y(share)}h0.01" />`}
  </svg>`;
}
