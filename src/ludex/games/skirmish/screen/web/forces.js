/** The forces beside the map: both rosters while units are placed, and the table of each player's units. */

import { html, nothing } from "/static/vendor/lit-html/lit-html.js";
import { actOn, chosenUnit } from "./acts.js";
import { plain, termed } from "/static/shell/terms.js";
import { pictureOf } from "./picture.js";
import { say } from "./texts.js";
import { badge } from "./tokens.js";

/** @typedef {import("./units.js").Unit} Unit */

/** Both rosters side by side while units are placed; both tables follow them on the screen. @param {Context} ctx */
export function rosters(ctx) {
  if (ctx.scene.phase !== "deployment") return nothing;
  return html`<div class="rosters">${roster(ctx, 1)}${roster(ctx, 2)}</div>`;
}

/** @param {Context} ctx */
export const tables = (ctx) => html`${table(ctx, 1)}${table(ctx, 2)}`;

/**
 * A list with a heading and a button that folds it.
 *
 * @param {Context} ctx
 * @param {string} id
 * @param {{ title: string, note: unknown, body: unknown, kind: string, player: number, done?: boolean }} parts
 */
function folding(ctx, id, { title, note, body, kind, player, done = false }) {
  // An empty list is folded until a person opens it.
  const folded = Boolean(ctx.ui[`folded-${id}`] ?? done);
  const toggle = () => {
    ctx.ui[`folded-${id}`] = !folded;
    ctx.redraw();
  };
  return html`<section class="panel force ${kind} force-${player}" id=${id} data-testid=${id} aria-labelledby="${id}-title">
    <header>
      <h2 id="${id}-title">${title}</h2>
      <span class="muted">${note}</span>
      <button type="button" class="fold" data-testid="${id}-toggle" aria-expanded=${folded ? "false" : "true"}
        aria-controls="${id}-body" aria-label=${say(folded ? "expand" : "collapse", { title })} @click=${toggle}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 6l4 4 4-4"/></svg></button>
    </header>
    <div id="${id}-body" class="force-body" ?hidden=${folded}>${body}</div>
  </section>`;
}

/** @param {Context} ctx @param {1 | 2} player */
function roster(ctx, player) {
  const { scene, ui } = ctx;
  const { deployment, legal } = scene;
  const { byId } = pictureOf(ctx);
  /** @type {string[]} */
  const ids = deployment.deployable_units_by_player[player];
  const unitId = ctx.mayMove ? chosenUnit(ctx) : null;
  const choose = (/** @type {string} */ id) => () => {
    ui.unit = id;
    ui.released = false;
    ui.reason = null;
    ctx.redraw();
  };
  const notes = [
    ids.length ? say("rosterLeft", { left: ids.length }) : say("rosterDone"),
    deployment.confirmed_players.includes(player) && say("confirmed"),
    deployment.current_deployer === player && say("deploysNow"),
  ];
  const body = html`<ul class="roster-units">${ids.map((id) => {
    const unit = /** @type {Unit} */ (byId.get(id));
    return html`<li><button type="button" class="roster-unit" data-unit=${id} aria-pressed=${id === unitId ? "true" : "false"}
      ?disabled=${!ctx.mayMove || !(id in legal.deploy)} title=${plain(statsOf(unit))} @click=${choose(id)}>
      ${badge(unit)}<span class="unit-name">${unit.name}</span><span class="muted">${id}</span></button></li>`;
  })}</ul>`;
  return folding(ctx, `roster-${player}`, {
    title: say("roster", { player }),
    note: notes.filter(Boolean).join(", "),
    body,
    kind: "roster",
    player,
    done: !ids.length,
  });
}

/** @param {Context} ctx @param {1 | 2} player */
function table(ctx, player) {
  const { scene } = ctx;
  const units = pictureOf(ctx).units.filter((unit) => unit.player === player);
  const alive = units.filter((unit) => unit.alive).length;
  const left = scene.deployment.undeploys_left[player];
  const taking = scene.phase === "deployment" && left > 0 ? `, ${say("undeploysLeft", { left })}` : "";
  const body = html`<table class="unit-table">
    <thead><tr><th scope="col">${say("unit")}</th><th scope="col">${say("wounds")}</th><th scope="col">${say("place")}</th>
      <th scope="col">${say("state")}</th></tr></thead>
    <tbody>${units.map((unit) => row(ctx, unit))}</tbody></table>`;
  return folding(ctx, `unit-status-table-${player}`, {
    title: say("table", { player }),
    note: `${alive}/${units.length}${taking}`,
    body,
    kind: "unit-status-table",
    player,
  });
}

/** @param {Context} ctx @param {Unit} unit */
function row(ctx, unit) {
  const { scene, ui } = ctx;
  const name = pictureOf(ctx).hexes.get(unit.hex ?? -1)?.name;
  const select = () => {
    if (unit.hex === null) return;
    actOn(ctx, unit.hex);
  };
  const classes = [
    unit.alive ? "" : "gone",
    scene.active === unit.unit ? "acting" : "",
    ui.inspected === unit.unit ? "inspected" : "",
  ];
  return html`<tr class=${classes.join(" ").trim()} data-unit=${unit.id} title=${plain(statsOf(unit))}>
    <th scope="row"><span>${badge(unit)}<span class="unit-name">${unit.name}</span><span class="muted">${unit.id}</span></span></th>
    <td class="wounds"><meter min="0" max=${unit.wounds} value=${unit.left} aria-label=${say("wounds")}></meter>
      <span>${unit.left}/${unit.wounds}</span></td>
    <td>${name ? html`<button type="button" class="to-hex" @click=${select}>${name}</button>` : "–"}</td>
    <td>${termed(ctx, stateOf(ctx, unit))}</td></tr>`;
}

/** @param {Context} ctx @param {Unit} unit */
function stateOf({ scene }, unit) {
  if (!unit.alive) return say("destroyed");
  if (!unit.deployed) return say("waiting");
  if (scene.phase === "deployment" || scene.phase === "over") return "";
  const marks = [
    scene.active === unit.unit ? say("active") : unit.ready ? say("ready") : "",
    unit.charged ? say("charged") : "",
    unit.fled ? say("fled") : "",
    unit.advanced ? say("advanced") : "",
  ];
  return marks.filter(Boolean).join(", ");
}

/** @param {Unit} unit @returns {string} what a unit can do, with its terms marked */
export function statsOf(unit) {
  const invulnerable = unit.invulnerable_save ? say("invulnerable", { save: unit.invulnerable_save }) : "";
  const weapons = unit.weapons.map(({ keywords, ...weapon }) => {
    const text = say(weapon.range ? "weapon" : "melee", weapon);
    return [text, ...keywords.map((one) => say(/** @type {"assault"} */ (one)))].join(", ");
  });
  return [say("stats", { ...figures(unit), invulnerable }), ...weapons].join("\n");
}

/** @param {Unit} unit */
const figures = ({ move, toughness, save, value }) => ({ move, toughness, save, value });
