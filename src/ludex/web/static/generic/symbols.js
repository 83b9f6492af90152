// @ts-check
/** Pieces of scenes as SVG. */

import { nothing, svg } from "../vendor/lit-html/lit-html.js";

/** @typedef {import("../types/scene.js").ScenePiece} ScenePiece */

/** The outline of a symbol around the middle of its cell. @param {string} symbol @param {number} x @param {number} y @param {number} r */
function outline(symbol, x, y, r) {
  switch (symbol) {
    case "cross":
      return svg`<path class="stroked" d="M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}"
        stroke-width=${r * 0.44} />`;
    case "ring":
      return svg`<circle class="stroked" cx=${x} cy=${y} r=${r} stroke-width=${r * 0.44} />`;
    case "square":
      return svg`<rect x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} rx=${r * 0.2} />`;
    case "diamond":
      return svg`<path d="M${x} ${y - r * 1.25}L${x + r * 1.25} ${y}L${x} ${y + r * 1.25}L${x - r * 1.25} ${y}Z" />`;
    case "triangle":
      return svg`<path d="M${x} ${y - r * 1.15}L${x + r * 1.15} ${y + r * 0.9}L${x - r * 1.15} ${y + r * 0.9}Z" />`;
    case "star": {
      const points = Array.from({ length: 10 }, (_, index) => {
        const [angle, far] = [(index * Math.PI) / 5 - Math.PI / 2, index % 2 ? r * 0.55 : r * 1.25];
        return `${(x + far * Math.cos(angle)).toFixed(1)},${(y + far * Math.sin(angle)).toFixed(1)}`;
      });
      return svg`<polygon points=${points.join(" ")} />`;
    }
    case "none":
      return nothing;
    default:
      return svg`<circle cx=${x} cy=${y} r=${r * 1.2} />`;
  }
}

/** @param {ScenePiece} piece @param {number} x @param {number} y @param {number} [r] */
export function drawn(piece, x, y, r = 28) {
  const plain = piece.symbol === "none" || piece.symbol === "ring" || piece.symbol === "cross";
  return svg`<g class="of-${piece.colour ?? "p1"}">${outline(piece.symbol ?? "disc", x, y, r)}
    ${
      piece.text
        ? svg`<text class="letter ${plain ? "plain" : ""}" x=${x} y=${y + r * 0.4}
          font-size=${r * (piece.text.length > 1 ? 0.95 : 1.15)}>${piece.text}</text>`
        : nothing
    }</g>`;
}

/**
 * The pieces of a cell: one in its middle, several smaller ones side by side.
 * @param {ScenePiece[]} pieces @param {number} x @param {number} y
 */
export function stack(pieces, x, y) {
  const [only] = pieces;
  if (only && pieces.length === 1) return drawn(only, x, y);
  const columns = Math.ceil(Math.sqrt(pieces.length));
  const step = 84 / columns;
  const rows = Math.ceil(pieces.length / columns);
  return pieces.map((piece, index) =>
    drawn(
      piece,
      x + ((index % columns) - (columns - 1) / 2) * step,
      y + (Math.floor(index / columns) - (rows - 1) / 2) * step,
      step * 0.3,
    ),
  );
}
