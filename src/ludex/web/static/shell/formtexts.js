// @ts-check
/** What the forms of trainings and tournaments say. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./formtexts.en.js"), fr: () => import("./formtexts.fr.js") });
