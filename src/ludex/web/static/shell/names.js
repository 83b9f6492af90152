/** Names of players and relative times in lists. */

import { preferences } from "./preferences.js";
import { t } from "./texts.js";

/** The players of a match in a list. @param {Schemas["MatchLine"]} line */
export function lineNames(line) {
  /** @param {number} seat */
  const name = (seat) =>
    line.you[seat]
      ? t("you")
      : line.open[seat]
        ? t("open_seat")
        : (line.nicknames[seat] ?? line.agent_titles[seat]?.[preferences.language] ?? t("guest"));
  return line.agents.map((_, seat) => name(seat)).join(" – ");
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago a time was, in words. @param {string} utc */
export function ago(utc) {
  const seconds = (Date.now() - Date.parse(utc)) / 1000;
  const words = new Intl.RelativeTimeFormat(preferences.language, { numeric: "auto" });
  for (const [unit, length] of UNITS) if (seconds >= length) return words.format(-Math.floor(seconds / length), unit);
  return words.format(0, "second");
}

/** @typedef {Record<string, Schemas["GameBoards"]["machine"]>} Names by agent */

/** What people call an agent, where that is known. @param {string} agent @param {Names} [names] */
export function titled(agent, names) {
  return machineName(names?.[agent]?.[preferences.language] ?? agent);
}

/** An agent's name or summary, shortened: an engine's command without its folders. @param {string} text */
export function machineName(text) {
  return /^(ugi|gtp):/.test(text) ? text.replaceAll(/[^\s":=]*\//g, "") : text;
}
