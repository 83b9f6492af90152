// @ts-check
/** The command of a terminal that does the same as a form. */

/** A word as shells read it. @param {string} word */
const quoted = (word) => (/^[\w.,:=+\-/@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The values of a sweep, which are divided by commas: numbers, true, false, or texts. @param {string} text @returns {unknown[]} */
export function valuesOf(text) {
  return text.split(",").map((part) => {
    try {
      return JSON.parse(part);
    } catch {
      return part.trim();
    }
  });
}

/**
 * @param {string} game @param {string} config @param {Map<string, unknown>} changes
 * @param {{ seeds: number, key: string, values: string }} several `key` is that of a sweep, or empty
 */
export function trainCommand(game, config, changes, { seeds, key, values }) {
  const set = [...changes].map(
    ([name, value]) => `--set ${quoted(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)}`,
  );
  const more = [
    ...(key ? [`--sweep ${quoted(`${key}=${values.replaceAll(" ", "")}`)}`] : []),
    ...(seeds > 1 ? [`--seeds ${seeds}`] : []),
  ];
  return [`ludex train ${quoted(game)} --config ${quoted(config)}`, ...set, ...more].join(" ");
}
