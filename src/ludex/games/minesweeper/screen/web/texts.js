// @ts-check
/** What Minesweeper's screen says. */

import { dictionary } from "/static/shell/texts.js";

export const say = dictionary({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });
