// @ts-check
/** What people call the metrics that training runs log, and the opponents of their evaluations. */

import { dictionary } from "./texts.js";

const say = dictionary({ en: () => import("./metricnames.en.js"), fr: () => import("./metricnames.fr.js") });

const NAMED = /** @type {const} */ ([
  "games", "iteration", "minutes", "steps", "win_rate", "win_rate_low", "win_rate_high", "rating", "elo", "loss", "policy_loss", "value_loss",
  "moves_left_loss", "learning_rate", "window", "game_length", "first_player_score", "draws", "resigned", "wrongly_resigned", "moves_per_second",
  "leaves_per_second", "mean_batch", "playing_seconds", "network_seconds", "learning_seconds", "results", "earlier_network", "no_network",
]);

/** A metric in words; one that nobody has named keeps its name. @param {string} name */
export function metricName(name) {
  const named = NAMED.find((one) => one === name);
  return named ? say(named) : name;
}

/** A line's name, with what distinguishes it from others in words, such as an opponent. @param {string} name */
export function lineName(name) {
  const words = (/** @type {string} */ part) => {
    const key = part.replaceAll(" ", "_");
    return metricName(key) === key ? part : metricName(key);
  };
  return name.split(" · ").map(words).join(" · ");
}
