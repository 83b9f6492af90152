// @ts-check
/** Draws and signs between two people in a match, in English. */

export default {
  label: "Between you two",
  draw: "Offer a draw",
  draw_later: "You have offered a draw in this position: the next offer is possible after a move.",
  draw_yours: "You offer a draw. Every move withdraws the offer.",
  draw_theirs: "{player} offers a draw. A move of either player withdraws the offer.",
  draw_accept: "Accept the draw",
  draw_decline: "Decline",
  draw_declined: "The other player has declined the draw.",
  rematch_theirs: "The other player offers a rematch with swapped sides.",
  rematch_decline: "Decline the rematch",
  draw_withdraw: "Withdraw the offer",
  signs: "Signs to the other player",
  signs_switch: "Signs",
  signs_off: "Signs are off in all your matches, those of others too. Switch them on here or in your settings.",
  signs_on: "Signs are on in all your matches.",
  hello: "Hello!",
  nice: "Nice move!",
  oops: "Oops!",
  thanks: "Thanks!",
};
