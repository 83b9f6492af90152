/** Clicks, presses and keys on the board. The server's scene lists the cells that can be acted on. */

import { say } from "./texts.js";

const LONG_PRESS_MS = 400;
const REFUSED_MS = 500;
/** The classes of a board that is enlarged: the whole board in the width of the screen, its usual size, larger ones. */
export const ZOOMS = [0, 1, 1.5, 2.2];

/** @param {Event} event @returns {number | null} the cell that an event is about */
function cellOf(event) {
  const cell = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
  return cell ? Number(cell.getAttribute("data-cell")) : null;
}

/** Listeners for the board; one set for all its cells. @param {Context} ctx */
export function listeners(ctx) {
  const { ui } = ctx;
  return {
    /** @param {MouseEvent} event */
    click(event) {
      const cell = cellOf(event);
      if (cell === null || pressed(ui)) return;
      if (ui.asking && ctx.explain && ctx.scene.numbers[cell] < 0) ask(ctx, cell);
      else if (ui.flagging && ctx.scene.numbers[cell] < 0) flag(ctx, cell);
      else open(ctx, cell);
    },
    /** @param {MouseEvent} event */
    contextmenu(event) {
      const cell = cellOf(event);
      if (cell === null) return;
      event.preventDefault();
      // On touch screens the long press below has done it, or is about to.
      if (!ui.touching) flag(ctx, cell);
    },
    /** @param {PointerEvent} event */
    pointerdown(event) {
      ui.touching = event.pointerType !== "mouse";
      ui.pressed = false;
      const cell = cellOf(event);
      ui.painted = cell;
      if (cell === null || !ui.touching) return;
      clearTimeout(ui.press);
      ui.press = setTimeout(() => {
        ui.pressed = true;
        flag(ctx, cell);
        navigator.vibrate?.(15);
      }, LONG_PRESS_MS);
    },
    /** A finger that leaves or moves on scrolls, and presses nothing. */
    pointerend() {
      clearTimeout(ui.press);
    },
    /** A mouse that is drawn over a board under the editor paints it. @param {PointerEvent} event */
    pointerover(event) {
      const cell = cellOf(event);
      if (!ctx.editing || event.pointerType !== "mouse" || event.buttons !== 1 || cell === null) return;
      if (cell === ui.painted) return;
      for (const each of [ui.painted, cell]) if (each !== null) paint(ctx, each, ctx.tool ?? "");
      [ui.painted, ui.pressed] = [cell, true];
    },
    /** @param {TouchEvent} event */
    touchstart(event) {
      ui.spread = event.touches.length === 2 ? { far: apart(event), zoom: ui.zoom ?? 1 } : null;
      if (ui.spread) clearTimeout(ui.press);
    },
    /** Two fingers enlarge the board. @param {TouchEvent} event */
    touchmove(event) {
      if (event.touches.length !== 2 || !ui.spread) return;
      event.preventDefault();
      const scale = Math.max(1, ZOOMS[ui.spread.zoom] ?? 1) * (apart(event) / ui.spread.far);
      const steps = ZOOMS.map((size, step) => ({ step, off: Math.abs(Math.max(0.6, size) - scale) }));
      zoom(ctx, steps.reduce((best, one) => (one.off < best.off ? one : best)).step);
    },
    /** @param {FocusEvent} event */
    focusin(event) {
      ui.cursor = cellOf(event) ?? ui.cursor;
    },
  };
}

/** How far two fingers are apart. @param {TouchEvent} event */
function apart({ touches: [one, other] }) {
  return one && other ? Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)) : 1;
}

/** The step at which all of the board is seen: a small one is seen at its usual size. @param {Context} ctx */
export const leastZoom = ({ stage }) => (stage.cols > 10 ? 0 : 1);

/** Draw the board in another size within the same frame, the same cells in the middle. @param {Context} ctx @param {number} step */
export function zoom(ctx, step) {
  const { ui } = ctx;
  if (step === (ui.zoom ?? 1) || step < leastZoom(ctx) || step >= ZOOMS.length) return;
  const frame = /** @type {HTMLElement | null} */ (document.querySelector(".mines-scroll"));
  const x = frame ? (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth : 0;
  const y = frame ? (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight : 0;
  if (frame && step <= 1) frame.style.maxHeight = "";
  else if (frame && (ui.zoom ?? 1) <= 1) frame.style.maxHeight = `${frame.offsetHeight}px`;
  ui.zoom = step;
  ctx.redraw();
  requestAnimationFrame(() => {
    if (!frame) return;
    frame.scrollLeft = x * frame.scrollWidth - frame.clientWidth / 2;
    frame.scrollTop = y * frame.scrollHeight - frame.clientHeight / 2;
  });
}

/** Ask why a cell is as it is. @param {Context} ctx @param {number} cell */
function ask(ctx, cell) {
  moveTo(ctx, cell);
  void ctx.explain?.(ctx.stage.names[cell]);
}

/** Put something at a cell that does not have it yet. @param {Context} ctx @param {number} cell @param {string} tool */
function paint(ctx, cell, tool) {
  const { scene, stage } = ctx;
  const now = scene.flags[cell] ? "flag" : scene.numbers[cell] < 0 ? "hidden" : String(scene.numbers[cell]);
  if (now !== tool && tool !== "count") void ctx.put?.(tool, stage.names[cell]);
}

/** Whether a click only ends a long press. @param {Record<string, any>} ui */
function pressed(ui) {
  const was = ui.pressed;
  ui.pressed = false;
  return was;
}

/** @param {Context} ctx @param {number} cell */
function open(ctx, cell) {
  const { stage, scene } = ctx;
  const name = stage.names[cell];
  moveTo(ctx, cell);
  if (!ctx.mayMove) return;
  if (ctx.editing) void ctx.play(name);
  else if (scene.flags[cell] && scene.numbers[cell] < 0) refuse(ctx, cell, say("unflag", { name }));
  else if (scene.reveal.includes(cell)) void ctx.play(name);
  else if (scene.chord.includes(cell)) void ctx.play(`chord:${name}`);
  else if (scene.numbers[cell] < 0) refuseBeforeStart(ctx, cell);
}

/** @param {Context} ctx @param {number} cell */
function flag(ctx, cell) {
  moveTo(ctx, cell);
  const { stage, scene } = ctx;
  if (!ctx.mayMove) return;
  if (scene.flag.includes(cell)) void ctx.play(`${stage.names[cell]}${stage.flag_mark}`, true);
  else if (scene.numbers[scene.start] < 0) refuseBeforeStart(ctx, cell);
}

/** Name the start cell, which comes before all others. @param {Context} ctx @param {number} cell */
const refuseBeforeStart = (ctx, cell) =>
  refuse(ctx, cell, say("givenFirst", { name: ctx.stage.names[ctx.scene.start] }));

/** @param {Context} ctx @param {number} cell */
function chord(ctx, cell) {
  if (!ctx.mayMove) return;
  const name = ctx.stage.names[cell];
  if (ctx.scene.chord.includes(cell)) void ctx.play(`chord:${name}`);
  else refuse(ctx, cell, say("unsatisfied", { name }));
}

/** Say why nothing happens. @param {Context} ctx @param {number} cell @param {string} why */
function refuse(ctx, cell, why) {
  ctx.ui.refused = cell;
  ctx.ui.notice = why;
  ctx.announce(why);
  ctx.redraw();
  setTimeout(() => {
    ctx.ui.refused = null;
    ctx.redraw();
  }, REFUSED_MS);
}

/** @param {Context} ctx @param {number} cell */
function moveTo(ctx, cell) {
  ctx.ui.cursor = cell;
  ctx.ui.notice = null;
}

/** What keys besides digits put on a board under the editor. @type {Record<string, string>} */
const TYPED = { ".": "0", h: "hidden", "#": "hidden", f: "flag" };

/** @param {KeyboardEvent} event @param {Context} ctx @returns {boolean} */
export function key(event, ctx) {
  const { ui, stage } = ctx;
  const last = stage.rows * stage.cols - 1;
  if (event.ctrlKey && (event.key === "Home" || event.key === "End")) {
    focus(ctx, event.key === "Home" ? 0 : last);
    return true;
  }
  // Some keyboards write # with AltGr.
  if ((event.ctrlKey || event.metaKey || event.altKey) && event.key !== "#") return false;
  const typed = ctx.editing ? (TYPED[event.key] ?? (/^[0-8]$/.test(event.key) ? event.key : null)) : null;
  if (typed !== null) {
    // A row is typed from left to right.
    paint(ctx, ui.cursor, typed);
    focus(ctx, Math.min(ui.cursor + 1, last));
    return true;
  }
  const to = target(event.key, ctx);
  if (to !== null) focus(ctx, to);
  else if (event.key === "w" && ctx.explain) ask(ctx, ui.cursor);
  else if (event.key === "Enter" || event.key === " ") open(ctx, ui.cursor);
  else if (event.key === "f") flag(ctx, ui.cursor);
  else if (event.key === "c") chord(ctx, ui.cursor);
  else return false;
  return true;
}

/** Lead the cursor to a cell. @param {Context} ctx @param {number} cell */
function focus(ctx, cell) {
  moveTo(ctx, cell);
  ctx.redraw();
  /** @type {SVGElement | null} */ (document.querySelector(`.mines [data-cell="${cell}"]`))?.focus();
}

/** Where a key leads the cursor. @param {string} name @param {Context} ctx @returns {number | null} */
function target(name, { stage: { rows, cols }, ui: { cursor } }) {
  const [row, col] = [Math.floor(cursor / cols), cursor % cols];
  /** @type {Record<string, number>} */
  const targets = {
    ArrowUp: row > 0 ? cursor - cols : cursor,
    ArrowDown: row < rows - 1 ? cursor + cols : cursor,
    ArrowLeft: col > 0 ? cursor - 1 : cursor,
    ArrowRight: col < cols - 1 ? cursor + 1 : cursor,
    Home: row * cols,
    End: row * cols + cols - 1,
  };
  return targets[name] ?? null;
}
