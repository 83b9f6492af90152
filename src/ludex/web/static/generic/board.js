/** The picture of a scene's board and its pieces, without what is done on it. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { Geometry, SIZE } from "./geometry.js";
import { preferences } from "../shell/preferences.js";
import { stylesheet } from "../shell/renderer.js";

/** A text of a scene in the language of the screen. @param {SceneText | undefined} text @returns {string} */
export function words(text) {
  return text === undefined ? "" : typeof text === "string" ? text : text[preferences.language];
}

/** A cell's ground. @param {Geometry} geometry @param {number} cell @param {string} name of its class */
export function ground(geometry, cell, name, opacity = 1) {
  if (geometry.hex) return svg`<polygon class=${name} points=${geometry.hexagon(cell)} opacity=${opacity} />`;
  const { x, y } = geometry.middle(cell);
  return svg`<rect class=${name} x=${x - SIZE / 2} y=${y - SIZE / 2} width=${SIZE} height=${SIZE} rx="10" opacity=${opacity} />`;
}

/** Walls and other edges that are there. @param {SceneBoard} board @param {Geometry} geometry */
export function edges(board, geometry) {
  return (board.edges ?? []).map((edge, index) => {
    const [from, to] = geometry.edges[index] ?? [];
    if (edge.colour === null || !from || !to) return nothing;
    return svg`<line class="scene-edge of-${edge.colour ?? "ink"}" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y} />`;
  });
}

/** The dots between which edges are drawn, on a board of squares that has them on every side. @param {SceneBoard} board @param {Geometry} geometry */
export function dots(board, geometry) {
  if (geometry.hex || (board.edges?.length ?? 0) <= board.cells.length) return nothing;
  const ends = new Map(geometry.edges.flat().map((end) => [`${end.x},${end.y}`, end]));
  return [...ends.values()].map(({ x, y }) => svg`<circle class="scene-dot" cx=${x} cy=${y} r="7.5" />`);
}

/** Whether the cells are the points of a board of lines. @param {SceneBoard} board */
export const isOfLines = (board) => Boolean(board.lines?.some(({ below }) => below));

/**
 * Strokes through cells, a little longer than from middle to middle, or the lines of the board below its pieces.
 * @param {SceneBoard} board @param {Geometry} geometry
 */
export function lines(board, geometry, below = false) {
  return (board.lines ?? []).map((line) => {
    if (Boolean(line.below) !== below) return nothing;
    const points = line.cells.map((cell) => geometry.middle(cell));
    const path = points.map(({ x, y }, index) => {
      const other = points[index === 0 ? 1 : index - 1];
      if (below || !other || (index > 0 && index < points.length - 1)) return `${x},${y}`;
      const length = Math.hypot(x - other.x, y - other.y);
      return `${x + ((x - other.x) / length) * 36},${y + ((y - other.y) / length) * 36}`;
    });
    return svg`<polyline class="scene-line ${below ? "below" : ""} of-${line.colour ?? "ink"}" pathLength="1" points=${path.join(" ")} />`;
  });
}

/** A small picture of a board. @param {SceneBoard} board @param {string} [label] @param {string[]} [colours] of the players */
export function picture(board, label = "", colours = []) {
  const geometry = new Geometry(board);
  return html`<svg class="small-board" data-first=${colours[0] ?? nothing} data-second=${colours[1] ?? nothing}
    viewBox="0 0 ${geometry.width} ${geometry.height}" role=${label ? "img" : nothing}
    aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>
    ${svg`<rect class="fill-board" width=${geometry.width} height=${geometry.height} rx="18" />
      ${board.cells.map((cell, index) => ground(geometry, index, `fill-${cell.colour ?? "cell"}`))}
      ${lines(board, geometry, true)}
      ${board.cells.map((cell, index) => stack(cell.pieces ?? [], geometry.middle(index).x, geometry.middle(index).y))}
      ${edges(board, geometry)}${dots(board, geometry)}${lines(board, geometry)}`}
  </svg>`;
}

/** @param {any} scene @returns {Promise<Preview>} */
export async function sketch(scene) {
  await stylesheet("/static/generic/renderer.css");
  return () => picture(scene.board, "", scene.colours);
}

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
