/** What is drawn over Quoridor's board: legal moves, candidates, heat, a line, paths and previews. */

import { arrow, badge } from "/static/shell/drawnmoves.js";
import { nothing, svg } from "/static/vendor/lit-html/lit-html.js";
import { PAWN } from "./pawn.js";
import { SQUARE } from "./places.js";

/** @typedef {import("./places.js").Place} Place */
/** @typedef {import("./places.js").Places} Places */
/** @typedef {Place & { text: string }} Move */

const MOST_RANKS = 6;

/** @param {Context} ctx @param {Places} places */
export function overlays(ctx, places) {
  if (ctx.selected !== null && ctx.analysis) return line(ctx, places);
  if (ctx.overlay === "legal") return ctx.scene.legal.map((/** @type {Move} */ move) => legal(places, move));
  if (ctx.overlay === "candidates") return candidates(ctx, places);
  return ctx.overlay === "heat" ? heat(ctx, places) : nothing;
}

/** @param {Places} places @param {Move} move */
function legal(places, move) {
  const { x, y } = places.centre(move);
  if (move.kind === "pawn") return svg`<circle class="legal" cx=${x} cy=${y} r="9" />`;
  const { width, height } = places.bar(move);
  const [w, h] = move.kind === "h" ? [width / 3, 3] : [3, height / 3];
  return svg`<rect class="legal" x=${x - w / 2} y=${y - h / 2} width=${w} height=${h} rx="1.5" />`;
}

/** @param {Context} ctx @param {Places} places */
function candidates(ctx, places) {
  const best = (ctx.analysis?.candidates ?? []).slice(0, MOST_RANKS);
  return best
    .map((candidate, index) => {
      const place = places.of(candidate.text);
      const { x, y } = places.centre(place);
      return svg`<g class="candidate-move ${index === 0 ? "best" : ""}">
        ${place.kind === "pawn" ? nothing : bar(places, place, "proposed")}
        <circle class="badge" cx=${x} cy=${y} r="11" /><text class="badge-text" x=${x} y=${y + 4.5}>${index + 1}</text>
      </g>`;
    })
    .reverse();
}

/** Every candidate, the more opaque the better. @param {Context} ctx @param {Places} places */
function heat(ctx, places) {
  const known = (ctx.analysis?.candidates ?? []).filter(
    (candidate) => candidate.score !== null || candidate.prob !== null,
  );
  // A certain win or loss must not make all else look equal: the order decides.
  return known
    .map((candidate, index) => {
      const share = known.length > 1 ? 1 - index / (known.length - 1) : 1;
      const place = places.of(candidate.text);
      const opacity = (0.12 + 0.68 * share * share).toFixed(2);
      if (place.kind !== "pawn") return svg`<g opacity=${opacity}>${bar(places, place, "hot")}</g>`;
      const { x, y } = places.corner(place.col, place.row);
      return svg`<rect class="hot" x=${x} y=${y} width=${SQUARE} height=${SQUARE} rx="7" opacity=${opacity} />`;
    })
    .reverse();
}

/** How play is expected to go on, move by move. @param {Context} ctx @param {Places} places */
function line(ctx, places) {
  const analysis = /** @type {Analysis} */ (ctx.analysis);
  const candidate = analysis.candidates[ctx.selected ?? 0];
  if (!candidate) return nothing;
  const texts = candidate.line_text.length ? candidate.line_text : [candidate.text];
  return texts.map((text, index) => {
    const place = places.of(text);
    const player = (analysis.player + index) % 2;
    const { x, y } = places.centre(place);
    return svg`<g class="planned player-${player}">
      ${place.kind === "pawn" ? svg`<path class="pawn" d=${PAWN} transform="translate(${x} ${y})" />` : bar(places, place, "wall")}
      <circle class="order-ground" cx=${x} cy=${y + 5} r="8.5" /><text class="order" x=${x} y=${y + 9}>${index ? index + 1 : "★"}</text>
    </g>`;
  });
}

/**
 * Moves that the page wants seen: a wall where it would stand, an arrow for a step of the pawn.
 * @param {Context} ctx @param {Places} places @param {number} player
 */
export function drawMoves(ctx, places, player) {
  return (ctx.drawn ?? []).map(({ text, kind }) => {
    const place = places.of(text);
    const target = places.centre(place);
    if (place.kind !== "pawn")
      return svg`<g class="drawn drawn-${kind}" data-drawn=${text}>${bar(places, place, "drawn-wall")}${badge(target, kind, SQUARE)}</g>`;
    const pawn = ctx.scene.pawns[player];
    const { x, y } = places.corner(place.col, place.row);
    return svg`<g class="drawn drawn-${kind}" data-drawn=${text}>
      <rect class="drawn-square" x=${x + 2} y=${y + 2} width=${SQUARE - 4} height=${SQUARE - 4} rx="7" />
      ${arrow(places.middle(pawn.col, pawn.row), target, SQUARE)}${badge({ x: x + SQUARE - 7, y: y + 7 }, kind, SQUARE)}</g>`;
  });
}

/** @param {Context} ctx @param {Places} places */
export function paths(ctx, places) {
  if (!ctx.ui.paths) return nothing;
  return ctx.scene.paths.map((/** @type {{ col: number, row: number }[]} */ path, /** @type {number} */ player) => {
    const shift = player === 0 ? -4 : 4;
    const points = path.map(({ col, row }) => places.middle(col, row)).map(({ x, y }) => `${x + shift},${y + shift}`);
    return svg`<polyline class="path player-${player}" points=${points.join(" ")} />`;
  });
}

/** A move on its way to the server. @param {Context} ctx @param {Places} places @param {number} player */
export function pending(ctx, places, player) {
  if (ctx.pending === null) return nothing;
  const place = places.of(ctx.pending);
  const { x, y } = places.centre(place);
  return svg`<g class="pending player-${player}">${
    place.kind === "pawn"
      ? svg`<path class="pawn" d=${PAWN} transform="translate(${x} ${y})" />`
      : bar(places, place, "wall")
  }</g>`;
}

/**
 * What the pointer or the cursor is on.
 * @param {Context} ctx @param {Places} places @param {Place | null} place @param {boolean} legal @param {number} player
 */
export function preview(ctx, places, place, legal, player) {
  if (!place || !ctx.mayMove) return nothing;
  if (place.kind !== "pawn")
    return svg`<g class="preview player-${player} ${legal ? "" : "illegal"}">${bar(places, place, "wall")}</g>`;
  if (!legal) return nothing;
  const { x, y } = places.middle(place.col, place.row);
  return svg`<path class="preview pawn player-${player}" d=${PAWN} transform="translate(${x} ${y})" />`;
}

/** @param {Places} places @param {Place} place @param {string} name */
export function bar(places, place, name) {
  const { x, y, width, height } = places.bar(place);
  return svg`<rect class=${name} x=${x} y=${y} width=${width} height=${height} rx="4" />`;
}
