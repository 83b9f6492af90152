/** The command of a terminal that does the same as a form. */

/** A word as shells read it. @param {string} word */
const quoted = (word) => (/^[\w.,:=+\-/@]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A value as flags have it. @param {unknown} value */
const formatValue = (value) => (typeof value === "string" ? value : JSON.stringify(value));

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

/** The flags of one option. @param {Schemas["OptionField"]} field @param {any} value @returns {string[]} */
function flagsOf({ flag, kind, many, metavar, repeated }, value) {
  if (kind === "boolean") return [value ? flag : flag.replace("--", "--no-")];
  /** @type {string[]} */
  let words = [formatValue(value)];
  if (many) words = repeated ? value : [value.join(",")];
  else if (kind === "json")
    words = Object.entries(value).map(
      // The placeholder of a flag says whether it takes a list.
      ([key, part]) => `${key}=${metavar?.endsWith(",...") ? part.map(formatValue).join(",") : formatValue(part)}`,
    );
  return words.map((word) => `${flag} ${quoted(word)}`);
}

/**
 * `ludex jobs start` of an operation, with the options that differ from its defaults.
 * @param {Schemas["Description"]} operation @param {string} game @param {Record<string, unknown>} options
 */
export function jobCommand({ id, fields }, game, options) {
  const flags = fields.flatMap((field) => (field.name in options ? flagsOf(field, options[field.name]) : []));
  return ["ludex jobs start", quoted(id), quoted(game), ...flags].join(" ");
}
