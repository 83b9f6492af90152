/** Remaining time that counts down by itself between the server's updates, without redrawing the page. */

import { calm } from "./preferences.js";
import { numeral } from "./texts.js";

/**
 * @typedef {object} Reading
 * @property {number} left milliseconds, as the server sent them
 * @property {number} at when they were received, by `performance.now()`
 * @property {boolean} runs
 * @property {(seconds: number) => void} warn called when only so many seconds are left
 */

const LOW_MS = 10_000;
const TENTH_MS = 100;
const WARNINGS_MS = [60_000, 30_000, 10_000];

/** @param {number} ms @param {boolean} tenths @returns {string} such as 9:58, 1:00:00 or, at the end, 0:07.3 */
export function clockText(ms, tenths) {
  const seconds = tenths ? Math.floor(ms / TENTH_MS) / 10 : Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const digits = tenths ? 1 : 0;
  const rest = numeral(seconds % 60, {
    minimumIntegerDigits: 2,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

class GameClock extends HTMLElement {
  constructor() {
    super();
    /** @type {Reading | null} */
    this.current = null;
    /** The remaining time at the last check for a warning. */
    this.warned = 0;
    this.timer = 0;
  }

  /** @param {Reading} reading */
  set reading(reading) {
    this.current = reading;
    const left = this.left;
    if (!reading.runs || left > this.warned) this.warned = left;
    if (this.isConnected) this.draw();
  }

  get left() {
    if (!this.current) return 0;
    const { left, at, runs } = this.current;
    return Math.max(0, runs ? left - (performance.now() - at) : left);
  }

  connectedCallback() {
    this.draw();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  draw() {
    const left = this.left;
    const low = left < LOW_MS;
    // Tenths would flicker for people who prefer less motion.
    this.textContent = clockText(left, low && !calm());
    this.classList.toggle("low", low);
    clearTimeout(this.timer);
    if (this.current?.runs && left > 0)
      this.timer = window.setTimeout(() => this.tick(), low ? TENTH_MS : left % 1000 || 1000);
  }

  tick() {
    const [before, left] = [this.warned, this.left];
    this.warned = left;
    this.draw();
    // Never while the page draws: a warning draws it.
    for (const ms of WARNINGS_MS) if (left <= ms && ms < before) this.current?.warn(ms / 1000);
  }
}

customElements.define("game-clock", GameClock);
