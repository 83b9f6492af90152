// @ts-check
/** The home page's picture of a game that ships none: a moment of a match. */

import { stylesheet } from "../shell/renderer.js";
import { picture } from "./board.js";

/** @param {any} scene @returns {Promise<import("../types/renderer.js").Preview>} */
export async function sketch(scene) {
  await stylesheet("/static/generic/renderer.css");
  return () => picture(scene.board);
}
