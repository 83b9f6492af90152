/** What Minesweeper's screen says. */

import { textsOf } from "/static/shell/texts.js";

/** @type {import("/static/types/texts.js").Say<typeof import("./texts.en.json")>} */
export const say = textsOf("minesweeper");
