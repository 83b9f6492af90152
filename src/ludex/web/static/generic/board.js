// @ts-check
/** The picture of a scene's board, without what is done on it. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { preferences } from "../shell/preferences.js";
import { Geometry, SIZE } from "./geometry.js";
import { stack } from "./symbols.js";

/** @typedef {import("../types/scene.js").SceneBoard} SceneBoard */
/** @typedef {import("../types/scene.js").SceneText} SceneText */

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

/** Strokes through cells, a little longer than from middle to middle. @param {SceneBoard} board @param {Geometry} geometry */
export function lines(board, geometry) {
  return (board.lines ?? []).map((line) => {
    const points = line.cells.map((cell) => geometry.middle(cell));
    const path = points.map(({ x, y }, index) => {
      const other = points[index === 0 ? 1 : index - 1];
      if (!other || (index > 0 && index < points.length - 1)) return `${x},${y}`;
      const length = Math.hypot(x - other.x, y - other.y);
      return `${x + ((x - other.x) / length) * 36},${y + ((y - other.y) / length) * 36}`;
    });
    return svg`<polyline class="scene-line of-${line.colour ?? "ink"}" pathLength="1" points=${path.join(" ")} />`;
  });
}

/** A small picture of a board. @param {SceneBoard} board @param {string} [label] */
export function picture(board, label = "") {
  const geometry = new Geometry(board);
  return html`<svg class="small-board" viewBox="0 0 ${geometry.width} ${geometry.height}" role=${label ? "img" : nothing}
    aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>
    ${svg`<rect class="fill-board" width=${geometry.width} height=${geometry.height} rx="18" />
      ${board.cells.map((cell, index) => {
        const { x, y } = geometry.middle(index);
        return svg`${ground(geometry, index, `fill-${cell.colour ?? "cell"}`)}${cell.pieces ? stack(cell.pieces, x, y) : nothing}`;
      })}
      ${edges(board, geometry)}${lines(board, geometry)}`}
  </svg>`;
}
