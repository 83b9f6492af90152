/** The interfaces of pages and of their shell. */

import type { Choice } from "../shell/choice.js";
import type { Language, Overlay, Template } from "./renderer.js";

/** A page: it loads in `open`, returns its template from `draw`, and frees everything in `close`. */
export interface Page {
  title: () => string;
  draw: () => Template;
  open: () => Promise<void>;
  close: () => void;
  /** Called once the page is on the screen. */
  entered?: () => void;
  key?: (event: KeyboardEvent) => void;
  /** Called with what a drawing of the page threw; whether the page replaces what failed and is drawn again. */
  recover?: (error: unknown) => boolean;
}

export interface Shell {
  redraw: () => void;
  go: (path: string) => void;
  /** Show a message for some seconds. */
  say: (text: string, kind?: "note" | "fault") => void;
  /** Show an error in the server's words; anything but an answer of the server is a fault of ours. */
  fail: (error: unknown) => void;
  /** Do something that may fail, show why it did, and draw the page again; whether it was done. */
  attempt: (action: () => Promise<unknown>) => Promise<boolean>;
  /** Show the match that a request begins, or why there is none. */
  enter: (begin: () => Promise<{ id: string }>) => Promise<boolean>;
  /** Copy a link, that of the page if none is given. */
  copy: (link?: string) => Promise<void>;
  /** Say something to screen readers. */
  announce: (text: string) => void;
}

export type Theme = "system" | "light" | "dark";

/** A person's preferences, stored in the browser. */
export interface Preferences {
  board?: "paper" | "wood" | "slate";
  theme: Theme;
  language: Language;
  overlay: Overlay;
  sound?: boolean;
  /** Whether a second tap confirms a move that cannot be taken back. */
  confirm?: boolean;
  /** Whether the signs of other people are shown; they are unless switched off. */
  emotes?: boolean;
  /** How fast the actions of others are shown one by one. */
  playback?: "slow" | "normal" | "fast" | "at_once";
  /** By game, what was chosen on the home page. */
  choices: Record<string, Partial<Choice>>;
  /** Whether the offer of tutorials was answered. */
  welcomed?: boolean;
  /** By game, the step of its tutorial to go on with, and those completed. */
  tutorials?: Record<string, { step: number; done: string[] }>;
  /** By game, the matches that were finished while the coach spoke. */
  coached?: Record<string, string[]>;
}
