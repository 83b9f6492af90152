/** Clicks, presses and keys on the board. The server's scene lists the cells that can be acted on. */

import { say } from "./texts.js";

const LONG_PRESS_MS = 400;
const REFUSED_MS = 500;

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
      if (ui.flagging && ctx.scene.numbers[cell] < 0) flag(ctx, cell);
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
    /** @param {FocusEvent} event */
    focusin(event) {
      ui.cursor = cellOf(event) ?? ui.cursor;
    },
  };
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
  else if (scene.numbers[cell] < 0) refuse(ctx, cell, say("given"));
}

/** @param {Context} ctx @param {number} cell */
function flag(ctx, cell) {
  moveTo(ctx, cell);
  if (ctx.mayMove && ctx.scene.flag.includes(cell))
    void ctx.play(`${ctx.stage.names[cell]}${ctx.stage.flag_mark}`, true);
}

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

/** @param {KeyboardEvent} event @param {Context} ctx @returns {boolean} */
export function key(event, ctx) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { ui } = ctx;
  const to = target(event.key, ctx);
  if (to !== null) {
    moveTo(ctx, to);
    ctx.redraw();
    /** @type {SVGElement | null} */ (document.querySelector(`.mines [data-cell="${to}"]`))?.focus();
  } else if (event.key === "Enter" || event.key === " ") open(ctx, ui.cursor);
  else if (event.key === "f") flag(ctx, ui.cursor);
  else if (event.key === "c") chord(ctx, ui.cursor);
  else return false;
  return true;
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
