// @ts-check
/** The time of a game: it begins with the first move. An element of its own, so that a second does not redraw the board. */

/** @typedef {import("/static/types/renderer.js").Context} Context */

/**
 * When a match began and ended, in milliseconds. The server knows when a match was made and last changed; this browser
 * remembers when it saw the first move.
 *
 * @param {Context} ctx
 * @returns {{ begun: number | null, ended: number | null }}
 */
export function times({ match, ui }) {
  if (match.plies === 0) return { begun: null, ended: null };
  ui.begun ??= remembered(match);
  return { begun: ui.begun, ended: match.live ? null : Date.parse(match.updated_utc) };
}

/** @param {import("/static/types/renderer.js").MatchView} match */
function remembered(match) {
  const key = `ludex.begun.${match.id}`;
  const changed = Date.parse(match.updated_utc);
  const begun = Number(sessionStorage.getItem(key)) || (match.plies === 1 ? changed : Date.parse(match.created_utc));
  sessionStorage.setItem(key, String(begun));
  return begun;
}

/**
 * @param {number} ms
 * @returns {string} minutes and seconds
 */
export function duration(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

class Clock extends HTMLElement {
  static observedAttributes = ["begun", "ended"];
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticks;

  connectedCallback() {
    this.#ticks = setInterval(() => this.#show(), 250);
    this.#show();
  }

  disconnectedCallback() {
    clearInterval(this.#ticks);
  }

  attributeChangedCallback() {
    this.#show();
  }

  #show() {
    const begun = this.getAttribute("begun");
    const ended = this.getAttribute("ended");
    const text = begun ? duration((ended ? Number(ended) : Date.now()) - Number(begun)) : "0:00";
    if (this.textContent !== text) this.textContent = text;
  }
}

customElements.define("ludex-clock", Clock);
