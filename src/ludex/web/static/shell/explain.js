/** Has the game explain a place of the position that a match shows. */

import { api } from "./api.js";
import { preferences } from "./preferences.js";

const SEARCH_MS = 1500;

/** @param {OpenMatch} page @param {string} about */
export async function explain(page, about) {
  const { shell, id, intent, shown } = page;
  intent.retry = null;
  try {
    const body = {
      agent: null,
      about,
      ply: shown.ply,
      movetime_ms: SEARCH_MS,
      kind: /** @type {const} */ ("analysis"),
    };
    intent.explained = await api.analyse(id, body);
    shell.announce(intent.explained.explanation[0]?.text[preferences.language] ?? "");
  } catch (error) {
    await page.failHelp(error, () => explain(page, about));
  }
  shell.redraw();
}
