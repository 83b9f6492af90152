// @ts-check
/** What the administrator's page says, in English. */

export default {
  title: "Administrator",
  logged_in: "You are the administrator of this server, for twelve hours and in this browser.",
  to_games: "To the games",
  log_out: "Log out",
  how: "Open the login link that the server printed when it started, or enter the token that it was given.",
  no_token: "Open the login link that the server printed when it started. It works once; start the server again for another.",
  token: "Token",
  log_in: "Log in",
  class_title: "Play against an agent of your own",
  game: "Game",
  class: "Class, py:package.module:Class or py:./file.py:Class on the server",
  play_class: "Play",
};
