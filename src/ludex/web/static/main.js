/** Where the page begins. */

import { start } from "./shell/frame.js";

start(/** @type {HTMLElement} */ (document.getElementById("app")));
