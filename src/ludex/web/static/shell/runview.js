/** Training runs on a page of their own or of their job: what they have learned in words, the agents, the curves. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { agents, lab } from "./labapi.js";
import { stories } from "./metrics.js";
import { RunCurves } from "./runcurves.js";

/** So many steps of a run are measured at most. */
const MOST_STEPS = 5;

export class RunView {
  /** @param {import("./page.js").BasePage} page @param {string[]} names */
  constructor(page, names) {
    this.page = page;
    this.names = names;
    this.curves = page.attach(new RunCurves(page.shell));
    /** Of the only run, once it keeps agents. @type {import("./trained.js").Trained | null} */
    this.trained = null;
    /** What the games say that measured it. */
    this.sentence = () => "";
  }

  /** What is known of the first run. */
  get firstRun() {
    return this.curves.shown.get(this.names[0] ?? "");
  }

  /** Whether there will be anything new. */
  get goesOn() {
    const otherRuns = [...this.curves.shown.values()];
    return otherRuns.some(({ finished }) => !finished) || this.trained?.measured.complete === false;
  }

  /** How many steps of the only run, which is trained, are measured so far; null where nothing is to come. */
  get measuring() {
    const { trained } = this;
    if (!trained || trained.measured.complete || !this.firstRun?.finished) return null;
    return { done: trained.measured.strength.length, total: Math.min(MOST_STEPS, trained.run.checkpoints.length) };
  }

  async open() {
    await Promise.all([this.curves.open(), this.follow(), ...this.names.map((name) => this.curves.add(name))]);
  }

  /** Load new rows, states and agents. */
  async catchUp() {
    await Promise.all([this.curves.poll(), this.follow()]);
    for (const [name, known] of this.curves.shown) if (!known.finished) known.detail = await lab.run(name);
  }

  /** Load the agents of the only run; the curves are there without them. */
  async follow() {
    const [name = "", ...others] = this.names;
    if (others.length) return;
    await this.page.shell.attempt(async () => {
      const run = await agents.checkpoints(name);
      if (!run.checkpoints.length) return;
      const measured = this.trained?.measured.complete ? this.trained.measured : await agents.learned(name);
      const { Trained, story } = await import("./trained.js");
      this.sentence = () => story(measured);
      if (this.trained) {
        await this.trained.update(run, measured);
      } else {
        const trained = this.page.attach(new Trained(this.page, run, measured));
        await trained.open();
        this.trained = trained;
      }
      void this.trained.look();
    });
  }

  /** What the only run has learned, in sentences: of the measured games, which say more than logged shares, and of its metric. */
  story() {
    const [name = "", ...others] = this.names;
    const run = others.length ? undefined : this.curves.shown.get(name);
    // Two measurements of the same on different games would contradict each other.
    const measured = Boolean(this.trained?.measured.strength.length);
    const logged = run ? stories(run, this.curves.metric) : [];
    const sentences = [this.sentence(), ...logged.filter(({ share }) => !(share && measured)).map(({ text }) => text)];
    return sentences.filter(Boolean).map((sentence) => html`<p class="story">${sentence}</p>`);
  }

  /** While it is trained the curves come first. */
  draw() {
    const agents = this.trained?.draw() ?? nothing;
    const measured = this.trained?.measured.strength.length;
    return measured ? html`${agents} ${this.curves.draw()}` : html`${this.curves.draw()} ${agents}`;
  }
}
