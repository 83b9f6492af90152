/** A board that two fingers, or two buttons, enlarge: any renderer may put it around the `viewBox` of its board. */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

const MOST = 4;
const STEP = 1.6;
/** Pixels that a finger may tremble in a tap. */
const TREMBLE = 8;

/** The part of a board that is shown, and the fingers on it. */
export class Pinch {
  /** @param {Box} whole @param {() => void} redraw */
  constructor(whole, redraw) {
    this.whole = whole;
    this.redraw = redraw;
    this.scale = 1;
    /** The middle of the part, in the board's units. */
    this.middle = { x: 0, y: 0 };
    this.reset();
    /** @type {Map<number, { x: number, y: number }>} by finger, where it is on the screen */
    this.fingers = new Map();
    /** How far the fingers have moved the part since the first of them came down. */
    this.moved = 0;
    this.down = (/** @type {PointerEvent} */ event) => this.press(event);
    this.move = (/** @type {PointerEvent} */ event) => this.drag(event);
    this.up = (/** @type {PointerEvent} */ event) => void this.fingers.delete(event.pointerId);
  }

  /** Show the whole board when it is drawn next. */
  reset() {
    this.scale = 1;
    this.middle = { x: this.whole.x + this.whole.width / 2, y: this.whole.y + this.whole.height / 2 };
  }

  get enlarged() {
    return this.scale > 1;
  }

  /** Whether the fingers have moved the board: then their click is no tap. */
  get dragged() {
    return this.moved > TREMBLE;
  }

  /** @returns {Box} */
  get part() {
    const [width, height] = [this.whole.width / this.scale, this.whole.height / this.scale];
    return { x: this.middle.x - width / 2, y: this.middle.y - height / 2, width, height };
  }

  get viewBox() {
    const { x, y, width, height } = this.part;
    return [x, y, width, height].map((value) => value.toFixed(2)).join(" ");
  }

  /** Enlarge or shrink around the middle. @param {boolean} closer */
  step(closer) {
    this.show(this.scale * (closer ? STEP : 1 / STEP), this.middle);
  }

  /** @param {number} scale @param {{ x: number, y: number }} middle */
  show(scale, middle) {
    this.scale = Math.min(MOST, Math.max(1, scale));
    this.middle = this.inside(middle);
    this.redraw();
  }

  /** The middle next to one, around which no part lies outside. @param {{ x: number, y: number }} middle */
  inside(middle) {
    const { whole } = this;
    const inside = (/** @type {"x" | "y"} */ axis, /** @type {"width" | "height"} */ side) => {
      const half = whole[side] / this.scale / 2;
      return Math.min(whole[axis] + whole[side] - half, Math.max(whole[axis] + half, middle[axis]));
    };
    return { x: inside("x", "width"), y: inside("y", "height") };
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.pointerType === "mouse") return;
    if (!this.fingers.size) this.moved = 0;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.fingers].filter(([finger]) => finger !== event.pointerId).map(([, place]) => place);
    this.fingers.set(event.pointerId, now);
    const other = others[0];
    // One finger moves the page, unless the board is enlarged.
    if (!other && !this.enlarged) return;
    const unit = this.part.width / /** @type {Element} */ (event.currentTarget).getBoundingClientRect().width;
    const share = other ? 2 : 1;
    const by = { x: (now.x - before.x) / share, y: (now.y - before.y) / share };
    this.moved += Math.hypot(by.x, by.y);
    const grown = other ? distance(now, other) / Math.max(1, distance(before, other)) : 1;
    this.show(this.scale * grown, { x: this.middle.x - by.x * unit, y: this.middle.y - by.y * unit });
  }
}

/** @param {{ x: number, y: number }} one @param {{ x: number, y: number }} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
