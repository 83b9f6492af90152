/** The frame of every page: the header, the messages, and the router. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { ApiError } from "./api.js";
import { icon } from "./icons.js";
import { applyPreferences, prefer, preferences } from "./preferences.js";
import { stylesheet } from "./renderer.js";
import { loadLanguage, loadParts, t } from "./texts.js";

/**
 * The pages: the pattern of their addresses, their module, the modules that it imports, and the parts of the texts that
 * they use. The server writes them into the document.
 *
 * @type {[string, string, string[], string[]][]}
 */
const PAGES = JSON.parse(document.getElementById("pages")?.textContent ?? "[]");

/** @type {[string, "play" | "puzzles" | "lab" | "leaderboard" | "you"][]} */
const PLACES = [
  ["/", "play"],
  ["/puzzles", "puzzles"],
  ["/lab", "lab"],
  ["/leaderboard", "leaderboard"],
  ["/me", "you"],
];

const MESSAGE_MS = 6000;
const HEARTBEAT_MS = 15_000;

/** @type {HTMLElement} */
let root;
/** @type {Page | null} */
let page = null;
/** @type {{ id: number, text: string, kind: "note" | "fault" }[]} */
let messages = [];
let spoken = "";
let offline = false;
let visits = 0;

/** @param {HTMLElement} element to draw into */
export function start(element) {
  root = element;
  applyPreferences();
  addEventListener("popstate", () => void visit());
  document.addEventListener("click", follow);
  document.addEventListener("keydown", (event) => page?.key?.(event));
  for (const event of ["online", "offline"]) addEventListener(event, () => void heartbeat());
  setInterval(() => document.hidden || void heartbeat(), HEARTBEAT_MS);
  void visit();
}

/** @type {Shell} */
const shell = { redraw, go, say, fail, attempt, enter, copy, announce };

/** Notice a server that does not answer. */
async function heartbeat() {
  const before = offline;
  offline = !(
    navigator.onLine &&
    (await fetch("/api/health/live")
      .then((answer) => answer.text())
      .then(
        () => true,
        () => false,
      ))
  );
  if (offline !== before) redraw();
}

/** Load and show the page of the address. */
async function visit() {
  const visited = ++visits;
  const coming = arrived();
  if (!page) {
    await loadParts(["shell"]);
    redraw();
  }
  const next = await coming;
  // Another page was opened meanwhile.
  if (visited !== visits) {
    next.close();
    return;
  }
  page?.close();
  page = next;
  redraw();
  page.entered?.();
  if (visited > 1) document.getElementById("content")?.focus({ preventScroll: true });
}

/** The page of the address, loaded; the current page stays on the screen meanwhile. @returns {Promise<Page>} */
async function arrived() {
  const entry = PAGES.find(([pattern]) => new RegExp(pattern).test(location.pathname));
  if (!entry) return nowhere;
  const [pattern, module, imports, parts] = entry;
  const [, name = ""] = new RegExp(pattern).exec(location.pathname) ?? [];
  preload(imports);
  /** @type {Page | null} */
  let page = null;
  try {
    /** @type {[{ default: { new (shell: Shell, name: string): Page, styles: string[] } }, void]} */
    const [{ default: Made }] = await Promise.all([import(`./${module}.js`), loadParts(parts)]);
    page = new Made(shell, decodeURIComponent(name));
    await Promise.all([...Made.styles.map((style) => stylesheet(`/static/style/${style}.css`)), page.open()]);
    // The language may have been changed meanwhile.
    await loadLanguage(preferences.language);
    return page;
  } catch (error) {
    page?.close();
    return failed(error);
  }
}

/** Request modules together, so that they come in one round trip. @param {string[]} names below `/static/`, without `.js` */
function preload(names) {
  for (const name of names) {
    const href = `/static/${name}.js`;
    if (document.querySelector(`link[href="${href}"]`)) continue;
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = href;
    document.head.append(link);
  }
}

/** @param {string} path */
function go(path) {
  history.pushState(null, "", path);
  void visit().then(() => {
    const part = document.getElementById(location.hash.slice(1));
    if (part) part.scrollIntoView();
    else scrollTo(0, 0);
  });
}

/** @param {MouseEvent} event */
function follow(event) {
  const link = /** @type {Element} */ (event.target).closest?.("a[data-page]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const { pathname, search, hash } = /** @type {HTMLAnchorElement} */ (link);
  go(pathname + search + hash);
}

function redraw() {
  document.title = page ? `${page.title()} · Ludex` : "Ludex";
  try {
    render(whole(), root);
  } catch (error) {
    if (!page?.recover?.(error)) throw error;
  }
}

let count = 0;

/** @param {string} text @param {"note" | "fault"} [kind] */
function say(text, kind = "note") {
  const id = ++count;
  messages = [...messages.filter((message) => message.text !== text), { id, text, kind }].slice(-3);
  setTimeout(() => dismiss(id), MESSAGE_MS);
  redraw();
}

/** @param {number} id */
function dismiss(id) {
  messages = messages.filter((message) => message.id !== id);
  redraw();
}

/** @param {unknown} error shown in the server's words; anything but an answer of the server is a fault of ours */
function fail(error) {
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "offline") void heartbeat();
  say(error.message, "fault");
}

/** @param {() => Promise<unknown>} action */
async function attempt(action) {
  try {
    await action();
    return true;
  } catch (error) {
    fail(error);
    return false;
  } finally {
    redraw();
  }
}

/** @param {() => Promise<{ id: string }>} begin */
async function enter(begin) {
  return attempt(async () => go(`/match/${(await begin()).id}`));
}

async function copy(link = location.href) {
  try {
    await navigator.clipboard.writeText(link);
    say(t("copied"));
  } catch {
    // Browsers give the clipboard to secure pages only.
    say(t("copy_by_hand", { link }));
  }
}

/** @param {string} text for screen readers */
function announce(text) {
  // The same words twice are two events, and a region that does not change is not read.
  spoken = text === spoken ? `${text}\u00a0` : text;
  redraw();
}

/** A page that says one thing. @param {() => string} text @returns {Page} */
const notice = (text) => ({
  title: text,
  draw: () =>
    html`<div class="alone"><h1>${text()}</h1><p><a class="button primary" href="/" data-page>${t("to_home")}</a></p></div>`,
  open: async () => {},
  close: () => {},
});

const nowhere = notice(() => t("not_found"));

/** @param {unknown} error */
function failed(error) {
  if (!(error instanceof ApiError)) console.error(error);
  return notice(() => (error instanceof Error ? error.message : String(error)));
}

function whole() {
  const here = location.pathname;
  return html`
    <a class="skip" href="#content">${t("skip")}</a>
    <header class="top">
      <a class="brand" href="/" data-page>
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="fill-accent" /><path d="M9 7v16h9" class="mark-line" />
            <circle cx="22" cy="11" r="4" class="mark-dot" /></svg>
        Ludex
      </a>
      <nav>
        ${PLACES.map(
          ([path, name]) => html`<a href=${path} data-page
            aria-current=${here === path ? "page" : here.startsWith(`${path}/`) ? "true" : nothing}>${t(name)}</a>`,
        )}
      </nav>
      <div class="switches">
        <a class="button quiet" href="/settings" data-page title=${t("settings")} aria-label=${t("settings")}>${icon("gear")}</a>
        <button class="quiet" @click=${nextLanguage} title=${t("language")}
          aria-label="${preferences.language.toUpperCase()}: ${t("language")}">${preferences.language.toUpperCase()}</button>
        <button class="quiet" @click=${nextTheme} title=${themeName()}
          aria-label=${themeName()}>${icon(THEME_ICONS[preferences.theme])}</button>
      </div>
    </header>
    ${offline ? html`<p class="offline" role="alert">${t("offline")}</p>` : nothing}
    <main id="content" tabindex="-1">${page ? page.draw() : html`<p class="alone muted">${t("loading")}</p>`}</main>
    <div class="messages" role="status">
      ${messages.map(
        ({ id, text, kind }) =>
          html`<div class="message ${kind}"><span>${text}</span><button class="quiet small" aria-label=${t("close")}
            @click=${() => dismiss(id)}>×</button></div>`,
      )}
    </div>
    <div class="unseen" aria-live="polite">${spoken}</div>
  `;
}

/** @type {Record<import("../types/page.js").Theme, "system" | "sun" | "moon">} */
const THEME_ICONS = { system: "system", light: "sun", dark: "moon" };

function themeName() {
  return t("theme", { theme: t(/** @type {const} */ (`theme_${preferences.theme}`)) });
}

function nextTheme() {
  const next = /** @type {const} */ ({ system: "light", light: "dark", dark: "system" });
  prefer({ theme: next[preferences.theme] });
  redraw();
}

async function nextLanguage() {
  const language = preferences.language === "en" ? "fr" : "en";
  try {
    await loadLanguage(language);
  } catch (error) {
    // Browsers throw this if a file cannot be loaded.
    if (!(error instanceof TypeError)) throw error;
    say(t("offline"), "fault");
    return;
  }
  prefer({ language });
  redraw();
  // A page that was loading may have asked for texts in the former language meanwhile.
  void loadLanguage(language).then(redraw, fail);
}
