// @ts-check
/** Loads something again and again while its page is open and seen. */

export class Polling {
  /**
   * @param {import("../types/page.js").Shell} shell
   * @param {number} pause in milliseconds
   * @param {() => Promise<unknown>} load
   * @param {() => boolean} [goesOn] whether there will be anything new
   */
  constructor(shell, pause, load, goesOn = () => true) {
    this.shell = shell;
    this.pause = pause;
    this.load = load;
    this.goesOn = goesOn;
    this.timer = 0;
    this.closed = false;
  }

  /** Load after the next pause, whether or not a pause is under way. */
  start() {
    clearTimeout(this.timer);
    if (!this.closed && this.goesOn()) this.timer = window.setTimeout(() => void this.poll(), this.pause);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async poll() {
    try {
      if (!document.hidden) {
        await this.load();
        if (!this.closed) this.shell.redraw();
      }
    } catch (error) {
      this.shell.fail(error);
    } finally {
      this.start();
    }
  }
}
