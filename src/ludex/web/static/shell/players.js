// @ts-check
/** The names of agents. */

/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["GameCard"]} GameCard */
/** @typedef {Schemas["AgentCard"]} AgentCard */

/** An agent's name or summary, shortened: an engine's command without its folders. @param {string} text */
export function machineName(text) {
  return text.startsWith("ugi:") ? text.replaceAll(/[^\s":=]*\//g, "") : text;
}
