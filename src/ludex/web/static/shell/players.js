// @ts-check
/** The machines of a game, and what they are called. */

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["GameCard"]} GameCard */
/** @typedef {Schemas["AgentCard"]} AgentCard */

/**
 * The machines that play a board as it is named, its default opponent first.
 *
 * @param {GameCard} card
 * @param {string} preset with or without options
 * @returns {AgentCard[]}
 */
export function players(card, preset) {
  return card.agents.filter((agent) => agent.presets === null || agent.presets.includes(preset));
}

/** A machine's name, or what is said of it, as screens have room for: an engine's command without its folders. @param {string} text */
export function machineName(text) {
  return text.startsWith("ugi:") ? text.replaceAll(/[^\s":=]*\//g, "") : text;
}
