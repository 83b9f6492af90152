// @ts-check
/**
 * What draws a game, and what it is given. The shell knows no game: it loads `games/NAME.js` and its style sheet
 * `games/NAME.css` by the name the server gives, and asks the module to draw. A renderer knows no server: it draws
 * `stage` and `scene`, and calls `play` and `judge` with move texts.
 */

/** @typedef {import("../vendor/lit-html/lit-html.js").TemplateResult<1 | 2>} Template */
/** @typedef {import("../vendor/lit-html/lit-html.js").nothing} Nothing */
/** @typedef {import("../types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["MatchView"]} MatchView */
/** @typedef {Schemas["Thought"]} Thought */
/** @typedef {Schemas["PlayedMove"]} PlayedMove */
/** @typedef {Schemas["LegalMove"]} LegalMove */

/** @typedef {"none" | "legal" | "candidates" | "heat"} Overlay */

/**
 * @typedef {object} Judgement
 * @property {boolean} legal
 * @property {string | null} message why not
 */

/**
 * What a renderer is given to draw one position.
 *
 * @typedef {object} Context
 * @property {MatchView} match
 * @property {any} stage what never changes, as the slice's `stage` made it
 * @property {any} scene the position, as the slice's `scene` made it
 * @property {boolean} mayMove whether `play` may be called: it is this person's turn, and the last ply is shown
 * @property {Overlay} overlay what the person asked to see on the board
 * @property {Thought | null} thought what a machine thinks of the position shown, final or so far
 * @property {number | null} selected index in `thought.candidates` of the one whose line is to be drawn
 * @property {string | null} pending the move this person has just made, until the server has taken it
 * @property {PlayedMove | null} last the move that led to the position shown
 * @property {LegalMove[] | null} moves every legal move, only where the game has no renderer
 * @property {Record<string, any>} ui the renderer's own state, kept for as long as the match is open
 * @property {"en" | "fr"} language
 * @property {() => void} redraw
 * @property {(text: string) => Promise<void>} play play a move; errors are shown by the shell
 * @property {(text: string) => Promise<Judgement>} judge whether a move would be accepted; remembered per version
 * @property {(ply: number) => void} goto show the position after so many moves
 * @property {(text: string) => void} announce say something to screen readers
 */

/**
 * @typedef {object} Renderer
 * @property {(ctx: Context) => Template} board one `<svg class="board">` (or grid) with focusable cells and labels
 * @property {(ctx: Context) => Template | Nothing} [panels] what stands beside the board; use `<section class="panel">`
 * @property {(ctx: Context) => string | null} [status] a sentence that replaces the shell's; null: the shell's
 * @property {(event: KeyboardEvent, ctx: Context) => boolean} [key] true when handled
 * @property {() => [string, string][]} [help] keys and what they do, in the language of the screen
 * @property {() => string[]} [sides] the players' names, such as X and O
 * @property {(reason: string) => string} [reason] `outcome.reason` in the language of the screen
 * @property {(thought: Thought) => { text: string, share: number } | null} [score] how the gauge reads a thought;
 *   null: `thought.value`
 */

/**
 * The picture on the home page, from `games/NAME.preview.js`: a square SVG that shows a moment of a game. The shell
 * raises `tick` about every second, and leaves it where it is for people who prefer less motion.
 *
 * Classes of every screen: `fill-p1 fill-p2 stroke-p1 stroke-p2` (the players' colours), `fill-ink fill-muted
 * fill-line fill-surface fill-board fill-cell fill-good fill-bad fill-warn fill-accent` and the same with `stroke-`.
 *
 * @typedef {(tick: number) => Template} Preview
 */

/**
 * What such a module exports: the picture, and what the home page says of the game in another language than the
 * server's English.
 *
 * @typedef {object} Picture
 * @property {Preview} default
 * @property {Record<string, { title: string, summary: string, agents?: Record<string, string> }>} [words] by language
 */

/** @type {Map<string, Promise<Renderer>>} */
const renderers = new Map();

/**
 * The renderer of a name, with its style sheet in place.
 *
 * @param {string | null} name null: the generic board of legal moves
 * @returns {Promise<Renderer>}
 */
export function loadRenderer(name) {
  const module = name ?? "generic";
  let found = renderers.get(module);
  if (!found) {
    found = Promise.all([import(`../games/${module}.js`), stylesheet(`/static/games/${module}.css`)]).then(
      ([loaded]) => loaded.default,
    );
    found.catch(() => renderers.delete(module));
    renderers.set(module, found);
  }
  return found;
}

/**
 * The home page's picture of a game.
 *
 * @param {string} name
 * @returns {Promise<Picture>}
 */
export function loadPreview(name) {
  return import(`../games/${name}.preview.js`);
}

/**
 * Add a style sheet once.
 *
 * @param {string} href
 * @returns {Promise<void>}
 */
export function stylesheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} cannot be loaded`));
    };
    document.head.append(link);
  });
}
