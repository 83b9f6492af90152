// @ts-check
/** The words of the home page, which its parts share. */

import { dictionary } from "./texts.js";

export const say = dictionary({ en: () => import("./home.en.js"), fr: () => import("./home.fr.js") });
