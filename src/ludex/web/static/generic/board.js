/** The picture of a scene's board and its pieces, without what is done on it. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { Geometry, SIZE } from "./geometry.js";
import { preferences } from "../shell/preferences.js";
import { stylesheet } from "../shell/renderer.js";

/** The radius of the holes of a rack. */
const HOLE = 42;

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
  return html`<svg class="small-board" data-look=${board.look ?? "tiles"} data-first=${colours[0] ?? nothing} data-second=${colours[1] ?? nothing}
    viewBox="0 0 ${geometry.width} ${geometry.height}" role=${label ? "img" : nothing}
    aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>
    ${svg`${base(geometry)}
      ${board.cells.map((cell, index) => ground(geometry, index, `square ${shade(board, cell)}`))}
      ${lines(board, geometry, true)}
      ${board.cells.map((cell, index) => stack(cell.pieces ?? [], geometry, index))}
      ${rack(board, geometry)}${edges(board, geometry)}${dots(board, geometry)}${lines(board, geometry)}`}
  </svg>`;
}

/** @param {any} scene @returns {Promise<Preview>} */
export async function sketch(scene) {
  await stylesheet("/static/generic/renderer.css");
  return () => picture(scene.board, "", scene.colours);
}

/** The board below its cells. @param {Geometry} geometry */
export const base = ({ width, height }) => svg`<rect class="fill-board" width=${width} height=${height} rx="18" />
  <rect class="bevel" x="3" y="3" width=${width - 6} height=${height - 6} rx="15" />`;

/** The class of a cell's ground; the squares of a chequered board alternate. @param {SceneBoard} board @param {SceneBoard["cells"][number]} cell */
export function shade(board, { colour = "cell", row, col }) {
  return `fill-${colour} ${board.look === "checkers" && (row + col) % 2 ? "dark" : ""}`;
}

/**
 * The frame of a board with holes, in front of its pieces.
 * @param {SceneBoard} board @param {Geometry} geometry @param {(cell: number) => string} [state] classes of a hole
 */
export function rack(board, geometry, state = () => "") {
  if (board.look !== "rack") return nothing;
  const { width, height, cells } = geometry;
  const holes = cells.map(
    ({ x, y }) => `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0`,
  );
  return svg`<g class="rack"><path fill-rule="evenodd" d="M18 0H${width - 18}a18 18 0 0 1 18 18V${height - 18}a18 18 0 0 1-18 18H18a18 18 0 0
    1-18-18V18a18 18 0 0 1 18-18Z${holes.join("")}" />
    ${cells.map(({ x, y }, cell) => svg`<circle class="hole ${state(cell)}" cx=${x} cy=${y} r=${HOLE} />`)}</g>`;
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
      return svg`<circle cx=${x} cy=${y} r=${r * 1.2} /><circle class="rim" cx=${x} cy=${y} r=${r * 0.88} />`;
  }
}

/** @param {ScenePiece} piece @param {number} x @param {number} y @param {number} r */
export function drawPiece(piece, x, y, r) {
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
 * @param {ScenePiece[]} pieces @param {Geometry} geometry @param {number} cell
 */
export function stack(pieces, geometry, cell) {
  const [only] = pieces;
  const { x, y } = geometry.middle(cell);
  if (only && pieces.length === 1) return drawPiece(only, x, y, geometry.piece);
  const columns = Math.ceil(Math.sqrt(pieces.length));
  const step = 84 / columns;
  const rows = Math.ceil(pieces.length / columns);
  return pieces.map((piece, index) =>
    drawPiece(
      piece,
      x + ((index % columns) - (columns - 1) / 2) * step,
      y + (Math.floor(index / columns) - (rows - 1) / 2) * step,
      step * 0.3,
    ),
  );
}
