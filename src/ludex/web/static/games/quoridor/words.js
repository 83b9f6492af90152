// @ts-check
/** What Quoridor's screen says. */

import { dictionary } from "../../shell/texts.js";

export const t = dictionary({ en: () => import("../quoridor.en.js"), fr: () => import("../quoridor.fr.js") });
