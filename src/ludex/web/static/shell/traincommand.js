// @ts-check
/** The command of a terminal that does the same as a form. */

/** A word as shells read it. @param {string} word */
export const quoted = (word) => (/^[\w.,:=+\-/@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** @param {string} game @param {string} config @param {Map<string, unknown>} changes @param {number} seeds */
export function trainCommand(game, config, changes, seeds) {
  const set = [...changes].map(([key, value]) => `--set ${quoted(`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)}`);
  return [`ludex train ${quoted(game)} --config ${quoted(config)}`, ...set, ...(seeds > 1 ? [`--seeds ${seeds}`] : [])].join(" ");
}
