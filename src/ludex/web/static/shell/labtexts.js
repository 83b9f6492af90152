// @ts-check
/** What the pages of the laboratory say. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./labtexts.en.js"), fr: () => import("./labtexts.fr.js") });
