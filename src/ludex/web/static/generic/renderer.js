// @ts-check
/** The board of a game that ships no renderer: its scene, or a list of the legal moves where it has none. */

import { words } from "./board.js";
import { board as listBoard } from "./list.js";
import { board, help, isScene, key, panels } from "./scene.js";
import { nothing } from "../vendor/lit-html/lit-html.js";

/** @type {import("../types/renderer.js").Renderer} */
export default {
  board: (ctx) => (isScene(ctx.scene) ? board(ctx) : listBoard(ctx)),
  panels: (ctx) => (isScene(ctx.scene) ? panels(ctx) : nothing),
  key: (event, ctx) => isScene(ctx.scene) && key(event, ctx),
  help: (match) => (isScene(match.scene) ? help(match.scene) : []),
  sides: (match) => (isScene(match.scene) ? (match.scene.players ?? []).map(words) : []),
  reason: (reason, match) =>
    isScene(match.scene) && match.scene.reasons?.[reason] !== undefined ? words(match.scene.reasons[reason]) : reason,
};
