/** The interfaces of pages and of their shell. */

import type { Template } from "./renderer.js";

/** A page: it loads in `open`, returns its template from `draw`, and frees everything in `close`. */
export interface Page {
  title: () => string;
  draw: () => Template;
  open: () => Promise<void>;
  close: () => void;
  /** Called once the page is on the screen. */
  entered?: () => void;
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
