/** The end of a phase by a button. Loaded with the first one. */

import { say } from "./texts.js";

/** What units can still do in a phase that a player may end. @type {Record<string, Parameters<typeof say>[0]>} */
const CAN = { move: "can_move", shoot: "can_shoot", charge: "can_charge" };

/**
 * End the phase, or say why it cannot be ended. One that has just begun may have been taken for the one before, which ended by
 * itself: it is asked once whether it shall end.
 * @param {Context} ctx @param {number} clicks in a row: the second of a double one is no answer
 */
export function end(ctx, clicks) {
  const { scene, ui, match } = ctx;
  const why = scene.end_phase?.[ctx.language];
  const asked = ui.asking === match.ply;
  const can = CAN[scene.phase];
  const text = why ?? (can && !asked && scene.event_names.includes("phase") ? say(can) : null);
  if (text) {
    ui.refused = { ply: match.ply, text };
    if (!why) ui.asking = match.ply;
    ctx.announce(text);
    ctx.redraw();
  } else if (!asked || clicks < 2) void ctx.play("end_phase");
}
