/** What surrounds every page, and what a page is. */

import type { Template } from "./renderer.js";

/** A page: it loads in `open`, draws itself whenever asked, and leaves nothing behind after `close`. */
export interface Page {
  title: () => string;
  draw: () => Template;
  open: () => Promise<void>;
  close: () => void;
  key?: (event: KeyboardEvent) => void;
}

export interface Shell {
  redraw: () => void;
  go: (path: string) => void;
  /** Show a message for some seconds. */
  say: (text: string, kind?: "note" | "fault") => void;
  /** Show an error in the server's words; anything but an answer of the server is a fault of ours. */
  fail: (error: unknown) => void;
  /** Say something to screen readers. */
  announce: (text: string) => void;
}
