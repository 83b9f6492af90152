// @ts-check
/** What Minesweeper's screen says. */

import { dictionary } from "../../shell/texts.js";

export const say = dictionary({ en: () => import("../minesweeper.en.js"), fr: () => import("../minesweeper.fr.js") });
