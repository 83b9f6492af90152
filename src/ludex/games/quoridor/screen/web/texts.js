// @ts-check
/** What Quoridor's screen says. */

import { dictionary } from "/static/shell/texts.js";

export const t = dictionary({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });
