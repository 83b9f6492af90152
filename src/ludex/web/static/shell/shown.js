/** A position without a match, as renderers draw it: in the rules and in tutorials. */

import { preferences } from "./preferences.js";

/** What is the same for every position: nothing can be done with it but what a page allows. */
const NO_MATCH = {
  version: 1,
  practice: true,
  rated: false,
  help: [],
  rematch: null,
  outcome: null,
  aborted: null,
  abort_message: null,
  status: "",
  can: {},
  why: {},
  searching: false,
  waiting: null,
  analysis: null,
  seed: null,
  game_of: null,
  clock: null,
};

/** The context of a board on which nothing can be done. */
export const PICTURE = {
  facts: null,
  mayMove: false,
  overlay: /** @type {Overlay} */ ("none"),
  analysis: null,
  selected: null,
  pending: null,
  moves: null,
  play: async () => {},
  judge: async () => ({ legal: false, message: null }),
  goto: () => {},
  announce: () => {},
};

/**
 * @param {string} game
 * @param {ShownPosition} position
 * @param {Partial<Context> & { ui: Context["ui"], redraw: () => void }} more what a page adds; without `play` it is a picture
 * @returns {Context}
 */
export function contextOf(game, position, more) {
  const now = new Date().toISOString();
  const { moves, scene, picture, to_move, phase, preset } = position;
  const seats = Array.from({ length: position.players }, (_, player) => ({
    player,
    kind: "person",
    name: "you",
    you: player === position.viewer,
    open: false,
  }));
  const names = { en: "", fr: "" };
  const match = {
    ...NO_MATCH,
    id: "",
    game,
    title: "",
    preset,
    names,
    board: names,
    seats,
    created_utc: now,
    begun_utc: null,
    updated_utc: now,
    ply: moves.length,
    plies: moves.length,
    moves,
    live: to_move !== null,
    to_move,
    phase,
    scene,
    picture,
  };
  return {
    ...PICTURE,
    match: /** @type {Context["match"]} */ (/** @type {unknown} */ (match)),
    stage: position.board,
    scene,
    overlay: position.show_legal ? "legal" : "none",
    last: moves[moves.length - 1] ?? null,
    moves: position.legal,
    marked: position.cells,
    language: preferences.language,
    ...more,
  };
}
