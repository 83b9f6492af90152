/** Loads something again and again while its page is open and seen. */

export class Polling {
  /**
   * @param {import("./page.js").BasePage} page
   * @param {number} pause in milliseconds
   * @param {() => Promise<unknown>} load
   * @param {() => boolean} [goesOn] whether there will be anything new
   */
  constructor(page, pause, load, goesOn = () => true) {
    this.page = page;
    this.pause = pause;
    this.load = load;
    this.goesOn = goesOn;
    this.timer = 0;
    page.attach(this);
  }

  /** Load after the next pause, whether or not a pause is under way. */
  start() {
    clearTimeout(this.timer);
    if (!this.page.closed && this.goesOn()) this.timer = window.setTimeout(() => void this.poll(), this.pause);
  }

  close() {
    clearTimeout(this.timer);
  }

  async poll() {
    try {
      if (!document.hidden) {
        await this.load();
        if (!this.page.closed) this.page.shell.redraw();
      }
    } catch (error) {
      this.page.shell.fail(error);
    } finally {
      this.start();
    }
  }
}
