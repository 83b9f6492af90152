// @ts-check
/** What the page of a match says. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./matchtexts.en.js"), fr: () => import("./matchtexts.fr.js") });
