/** A scene as `ludex.core.scene.Scene.document` writes it: defaults are left out. */

import type { Language } from "./renderer.js";

export type SceneText = string | Record<Language, string>;

export interface ScenePiece {
  symbol?: "disc" | "ring" | "cross" | "square" | "diamond" | "triangle" | "star" | "none";
  colour?: string;
  text?: string;
  label: SceneText;
}

export interface SceneCell {
  row: number;
  col: number;
  name: string;
  colour?: string;
  text?: string;
  label?: SceneText;
  hover?: SceneText;
  pieces?: ScenePiece[];
}

export interface SceneEdge {
  cell: number;
  side: string;
  /** Absent: ink; null: not drawn. */
  colour?: string | null;
  name?: string;
  hover?: SceneText;
}

export interface SceneBoard {
  label: SceneText;
  shape?: "square" | "hex";
  look?: "checkers" | "felt" | "wood" | "rack";
  cells: SceneCell[];
  edges?: SceneEdge[];
  lines?: { cells: number[]; colour?: string; below?: boolean }[];
}

export interface SceneMove {
  text: string;
  cells?: number[];
  edge?: number;
  at?: number;
  label?: SceneText;
}

export interface SceneLayer {
  name: string;
  format?: "signed" | "percent" | "outcome";
  values?: (number | null)[];
}

export interface ScenePanel {
  title: SceneText;
  lines?: SceneText[];
  code?: string;
  board?: SceneBoard;
  details?: boolean;
}

export interface Scene {
  format: string;
  /** The cells that the last move changed. */
  last: number[];
  /** The cells beside them that it changed, such as turned discs. */
  effects?: number[];
  board: SceneBoard;
  moves?: SceneMove[];
  placed?: ScenePiece[];
  layers?: SceneLayer[];
  panels?: ScenePanel[];
  players?: SceneText[];
  /** Whether the second player sees the board from the opposite side. */
  opposite?: boolean;
  /** The colours of the players, where they are not the page's own. */
  colours?: [string, string];
  reasons?: Record<string, SceneText>;
}
