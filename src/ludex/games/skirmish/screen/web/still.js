// @ts-check
/** A drawing that is made again only when what it depends on has changed: the ground has five hundred hexes. */

import { noChange } from "/static/vendor/lit-html/lit-html.js";
import { Directive, directive } from "/static/vendor/lit-html/directive.js";

class Still extends Directive {
  /** @type {unknown[]} */
  #drawn = [];

  /** @param {unknown[]} of @param {() => unknown} draw */
  render(of, draw) {
    if (of.length === this.#drawn.length && of.every((one, place) => one === this.#drawn[place])) return noChange;
    this.#drawn = of;
    return draw();
  }
}

export const still = directive(Still);
