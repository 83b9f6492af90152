// @ts-check
/** The agents of a game, and their names. */

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["GameCard"]} GameCard */
/** @typedef {Schemas["AgentCard"]} AgentCard */

/**
 * The agents that support a board, its default opponent first.
 *
 * @param {GameCard} card
 * @param {string} preset with or without options
 * @returns {AgentCard[]}
 */
export function players(card, preset) {
  return card.agents.filter((agent) => agent.presets === null || agent.presets.includes(preset));
}

/** An agent's name or summary, shortened: an engine's command without its folders. @param {string} text */
export function machineName(text) {
  return text.startsWith("ugi:") ? text.replaceAll(/[^\s":=]*\//g, "") : text;
}
