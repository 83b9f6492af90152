/** What pages share: the shell around them, the part of their address behind the name of the page, one change at a time. */

import { html } from "../vendor/lit-html/lit-html.js";

/** @implements {Page} */
export class BasePage {
  /** The names of its style sheets. @type {string[]} */
  static styles = [];
  closed = false;
  busy = false;
  /** What a renderer remembers. @type {Record<string, any>} */
  ui = {};

  /** What ends with the page. @type {{ close: () => void }[]} */
  #parts = [];

  /** @param {Shell} shell @param {string} name */
  constructor(shell, name) {
    this.shell = shell;
    this.name = name;
  }

  title() {
    return this.name;
  }

  async open() {}

  close() {
    this.closed = true;
    for (const part of this.#parts) part.close();
  }

  /** Close something with the page. @template {{ close: () => void }} T @param {T} part */
  attach(part) {
    this.#parts.push(part);
    return part;
  }

  /** @returns {Template} */
  draw() {
    return html``;
  }

  /** Do something unless something else is being done. @param {() => Promise<unknown>} action */
  async exclusively(action) {
    if (this.busy) return;
    this.busy = true;
    this.shell.redraw();
    await this.shell.attempt(action);
    this.busy = false;
    this.shell.redraw();
  }
}
