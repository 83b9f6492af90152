/** The drawer with the rules of a match's board in words and pictures, loaded on demand. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { contextOf } from "./shown.js";
import { rules } from "./teaching.js";
import { texts, t } from "./texts.js";

const say = texts("shell", "rules");

export class Rules {
  /** @param {Schemas["RulesView"]} book @param {number} steps of the game's tutorial */
  constructor(book, steps) {
    this.book = book;
    this.steps = steps;
    /** @type {Map<Schemas["RuleView"], Record<string, any>>} the renderer's state of each picture */
    this.states = new Map();
  }

  /** The rules of a board, and the style of the drawer. @param {string} game @param {string} preset @param {number} steps */
  static async load(game, preset, steps) {
    const [book] = await Promise.all([rules(game, preset), stylesheet("/static/style/rules.css")]);
    return new Rules(book, steps);
  }

  /** Show the drawer, which must be drawn. */
  show() {
    const drawer = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.rules"));
    drawer?.showModal();
    drawer?.scrollTo(0, 0);
  }

  /** @param {Renderer} renderer */
  draw(renderer) {
    const { book } = this;
    const language = preferences.language;
    // A press on the dimmed page beside the drawer closes it.
    const press = (/** @type {MouseEvent} */ event) =>
      event.target === event.currentTarget && /** @type {HTMLDialogElement} */ (event.target).close();
    return html`<dialog class="rules" aria-labelledby="rules-title" @click=${press}>
      <div class="rules-body">
        <form method="dialog" class="heading"><h2 id="rules-title">${say("title", { game: book.names[language] })}</h2>
          <button class="quiet" aria-label=${t("close")}>×</button></form>
        <p class="muted">${book.title[language]}</p>
        ${book.sections.length ? nothing : html`<p>${say("none")}</p>`}
        ${book.sections.map((section) => this.section(renderer, section))}
        ${
          book.terms.length
            ? html`<section><h3>${say("terms")}</h3><dl>${book.terms.map(
                (term) => html`<div>
                  <dt>${term.title[language]}</dt><dd>${term.meaning[language]}</dd></div>`,
              )}</dl></section>`
            : nothing
        }
        ${
          this.steps
            ? html`<p><a class="button" href="/learn/${book.game}"
              data-page>${say("tutorial", { count: this.steps })}</a></p>`
            : nothing
        }
      </div>
    </dialog>`;
  }

  /** @param {Renderer} renderer @param {Schemas["RuleView"]} section */
  section(renderer, section) {
    const language = preferences.language;
    let ui = this.states.get(section);
    if (!ui) this.states.set(section, (ui = {}));
    const { position } = section;
    return html`<section>
      <h3>${section.title[language]}</h3>
      ${section.text[language].split("\n").map((line) => html`<p>${line}</p>`)}
      ${
        position
          ? html`<div class="rules-picture" data-game=${this.book.game}
            inert>${renderer.board(contextOf(this.book.game, position, { ui, redraw: () => {} }))}</div>`
          : nothing
      }
    </section>`;
  }
}
