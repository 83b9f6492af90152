/**
 * What a game ships for the browser, in the folder that `ScreenSpec.web` names and the server serves as
 * `/static/games/NAME/`:
 *
 * - `renderer.js`, whose default is a `Renderer`, its style sheet `renderer.css` and its texts `texts.en.json` and
 *   `texts.fr.json`; without them the generic board draws the game's `Scene`, and so it does if they fail;
 * - `preview.js`, whose default is a `Preview`, the picture on the home page; its `thumbnail` may load a `Renderer` of which only
 *   `board` is used, where the own one is heavy for a picture of 200 pixels.
 *
 * Each is optional: without a picture the home page shows a moment of the game, drawn from its `Scene`.
 *
 * Other modules of the folder are imported by relative paths, those of the shell by `/static/...`. The shell knows no game.
 * A renderer knows no server: it draws `stage` and `scene`, and calls `play` and `judge` with move texts.
 */

import type { TemplateResult, nothing } from "../vendor/lit-html/lit-html.js";
import type { components } from "./api.js";

export type Template = TemplateResult<1 | 2>;
export type Nothing = typeof nothing;
export type Schemas = components["schemas"];
export type MatchView = Schemas["MatchView"];
export type Analysis = Schemas["Analysis"];
export type PlayedMove = Schemas["PlayedMove"];
export type LegalMove = Schemas["LegalMove"];

export type Overlay = "none" | "legal" | "candidates" | "heat";
export type Language = "en" | "fr";

export interface Judgement {
  legal: boolean;
  /** Why not. */
  message: string | null;
}

/** A move that the page wants drawn, unmistakably: the advice, or in a review the move that was made and a better one. */
export interface DrawnMove {
  text: string;
  kind: "hint" | "played" | "better";
}

/** The input of a renderer for one position. */
export interface Context {
  match: MatchView;
  /** What never changes, as the slice's `stage` made it. */
  stage: any;
  /** The position, as the slice's `scene` made it. */
  scene: any;
  /** What the server computed of the finished match, as the slice's `facts` made it; null until it is there. */
  facts: any;
  /** Whether `play` may be called: it is this person's turn, and the last ply is shown. */
  mayMove: boolean;
  /** Whether a position is edited: `play` then gets the text of the place that was clicked, whatever stands there. */
  editing?: boolean;
  /** Whether it is a picture of 200 pixels, in which nothing small is written. */
  thumbnail?: boolean;
  /** Whether it is a puzzle to be solved: what the server computes of its moves would give it away. */
  asked?: boolean;
  /** The overlay that the person chose. */
  overlay: Overlay;
  /** An agent's analysis of the position shown, final or so far. */
  analysis: Analysis | null;
  /** Index in `analysis.candidates` of the one whose line is to be drawn. */
  selected: number | null;
  /** The move this person has just made, until the server has taken it. */
  pending: string | null;
  /** The move that led to the position shown. */
  last: PlayedMove | null;
  /** Moves to draw over the position; `/static/shell/drawnmoves.js` has arrows and badges in their colours. */
  drawn?: readonly DrawnMove[];
  /** Every legal move, only where nothing draws the game. */
  moves: LegalMove[] | null;
  /** The cells that a text beside the board is about; absent outside rules and tutorials. */
  marked?: readonly number[];
  /** The renderer's own state, kept for as long as the match is open. */
  ui: Record<string, any>;
  language: Language;
  redraw: () => void;
  /** Play a move; errors are shown by the shell. `sure`: it needs no second tap, since it was tapped twice already or undoes itself. */
  play: (text: string, sure?: boolean) => Promise<void>;
  /** Whether a move would be accepted; remembered per version. */
  judge: (text: string) => Promise<Judgement>;
  /** Have the game say why a place is good or bad, where it does and the person may know; `explained` is what it says. */
  explain?: ((text: string) => Promise<void>) | null;
  /** What the game says of the place that was asked about last. */
  explained?: Analysis | null;
  /** While a position is edited: put something at a place, whatever the tool that is chosen. */
  put?: (tool: string, text: string) => Promise<void>;
  /** The tool that is chosen, while a position is edited. */
  tool?: string;
  /** Show the position after so many moves. */
  goto: (ply: number) => void;
  /** Say something to screen readers. */
  announce: (text: string) => void;
}

/**
 * What the shell does for every game:
 * - actions that are no places on the board stand in a `<div class="board-actions">`, which is a bar at the bottom of a phone;
 * - a scene with `pace_ms` is shown so long when another player's action has led to it, before the next one;
 * - `Pinch` of `/static/shell/pinch.js` lets two fingers enlarge a board;
 * - `firstPanels` stand right beside the board.
 */
export interface Renderer {
  /** One `<svg class="board">` (or grid) with focusable cells and labels. */
  board: (ctx: Context) => Template;
  /** Whether it shows `facts`, which the shell then requests once the match is over. */
  facts?: boolean;
  /** Panels that people need for every move, above all others beside the board. */
  firstPanels?: (ctx: Context) => Template | Nothing;
  /** Panels beside the board; use `<section class="panel">`. */
  panels?: (ctx: Context) => Template | Nothing;
  /** A sentence that replaces the shell's; null: the shell's. */
  status?: (ctx: Context) => string | null;
  /** True when handled. */
  key?: (event: KeyboardEvent, ctx: Context) => boolean;
  /** Keys and what they do, in the language of the screen. */
  help?: (match: MatchView) => [string, string][];
  /** The players' names, such as X and O. */
  sides?: (match: MatchView) => string[];
  /** `outcome.reason` in the language of the screen. */
  reason?: (reason: string, match: MatchView) => string;
  /** How the gauge reads an analysis; null: `analysis.value`. */
  score?: (analysis: Analysis) => { text: string; share: number } | null;
}

/**
 * The picture on the home page, the default of `preview.js`: an SVG of 160 by 120 that shows a moment of a
 * game. The shell raises `tick` about every second, and leaves it where it is for people who prefer less motion.
 *
 * Classes of every screen: `fill-p1 fill-p2 stroke-p1 stroke-p2` (the players' colours), `fill-ink fill-muted
 * fill-line fill-surface fill-board fill-cell fill-good fill-bad fill-warn fill-accent` and the same with `stroke-`.
 */
export type Preview = (tick: number) => Template;
