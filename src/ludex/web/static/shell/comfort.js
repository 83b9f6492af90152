/** Sounds, a moment of celebration, and the second tap that confirms a move. Loaded where one of them is wanted. */

import { calm, preferences } from "./preferences.js";
import { texts } from "./texts.js";

const say = texts("match", "comfort");

/** Why undo is refused where no move is ever taken back. */
const FINAL = new Set(["clocked", "secret", "not_your_seat"]);

/** Tones in hertz. */
const TONES = { own: [587], other: [440], won: [523, 659, 784, 1047], lost: [392, 330, 262], drawn: [440, 440] };
const TONE_SECONDS = 0.11;

const PIECES = 36;
const CELEBRATION_MS = 1800;

/** @type {AudioContext | null} */
let audio = null;
let touched = false;
addEventListener("pointerdown", (event) => (touched = event.pointerType === "touch"), true);
addEventListener("keydown", () => (touched = false), true);

/** React to a newer state of the match. @param {MatchView} before @param {MatchView} match */
export function follow(before, match) {
  if (before.live && !match.live) {
    const score = ownScore(match);
    sound(score > 0 ? "won" : score < 0 ? "lost" : "drawn");
    if (score > 0) celebrate();
  } else if (match.plies > before.plies) {
    sound(match.seats[match.moves[match.moves.length - 1]?.player ?? 0]?.you ? "own" : "other");
  }
}

/** The score of the one who plays here; 0 for spectators and for two people at one screen. @param {MatchView} match */
function ownScore(match) {
  const own = match.seats.filter((seat) => seat.you);
  return own.length === 1 ? (match.outcome?.scores[own[0]?.player ?? 0] ?? 0) : 0;
}

/** @param {keyof typeof TONES} name */
function sound(name) {
  if (!preferences.sound) return;
  audio ??= new AudioContext();
  const context = audio;
  TONES[name].forEach((hertz, index) => {
    const [begin, end] = [context.currentTime + index * TONE_SECONDS, context.currentTime + (index + 1) * TONE_SECONDS];
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    // A tone that is cut off clicks.
    volume.gain.setValueAtTime(0.12, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(end);
  });
}

/** Let paper fall over the board, unless the person prefers less motion. */
function celebrate() {
  const frame = document.querySelector(".stage");
  if (!frame || calm()) return;
  const layer = document.createElement("div");
  layer.className = "celebration";
  layer.setAttribute("aria-hidden", "true");
  for (let index = 0; index < PIECES; index += 1) layer.append(piece(index));
  frame.append(layer);
  setTimeout(() => layer.remove(), CELEBRATION_MS);
}

/** One piece of paper, already falling. @param {number} index */
function piece(index) {
  const paper = document.createElement("span");
  paper.style.left = `${((index + 0.5) / PIECES) * 100}%`;
  const [drift, turns] = [(Math.random() - 0.5) * 160, 360 + Math.random() * 540];
  paper.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${drift}px, 75vh) rotate(${turns}deg)`, opacity: 0 },
    ],
    {
      duration: CELEBRATION_MS - 500,
      delay: Math.random() * 400,
      easing: "cubic-bezier(0.3, 0.2, 0.6, 1)",
      fill: "both",
    },
  );
  return paper;
}

/** Whether a move is to be played now; one that needs a second tap is shown as pending. @param {OpenMatch} page @param {string} text */
export function confirmed(page, text) {
  const { match } = page;
  if (!preferences.confirm || !touched || !FINAL.has(match.why.undo ?? "") || page.intent.unsure === text) {
    page.intent.unsure = null;
    return true;
  }
  page.intent.unsure = text;
  page.shell.say(say("tap_again", { move: text }));
  return false;
}
