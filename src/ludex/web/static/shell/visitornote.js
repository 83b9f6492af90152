// @ts-check
/** What visitors of the laboratory may do, and how to become the administrator. */

import { html } from "../vendor/lit-html/lit-html.js";
import { texts } from "./texts.js";

const say = texts("lab", "page");

export const visitorNote = () =>
  html`<section class="panel lab-visitor"><p>${say("visitor")}</p><p class="muted">${say("become")}</p><p>
    <a class="button" href="/administrator" data-page>${say("log_in")}</a></p></section>`;
