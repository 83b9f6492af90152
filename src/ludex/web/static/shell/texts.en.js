// @ts-check
/** What every page says, in English. */

export default {
  games: "Games",
  tournaments: "Tournaments",
  leaderboard: "Leaderboard",
  runs: "Training runs",
  lab: "Laboratory",
  administrator: "Administrator",
  skip: "Skip to the content",
  theme: "Colours",
  theme_system: "as the system",
  theme_light: "light",
  theme_dark: "dark",
  settings: "Your settings",
  language: "Language",
  loading: "Loading…",
  offline: "The server does not answer. Is it running?",
  unreadable: "The server gave an answer that cannot be read (status {status}).",
  not_found: "There is nothing at this address.",
  to_home: "To the games",
  close: "Close",
  you: "You",
  open_seat: "Open seat",
  guest: "Guest",
  reason_forfeit: "forfeit",
};
