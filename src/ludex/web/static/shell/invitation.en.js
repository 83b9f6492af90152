// @ts-check
/** What is said of the link to a free seat, in English. */

export default {
  title: "Send this link to a friend",
  copy: "Copy the invitation",
  first: "The first person to open it takes the free seat.",
  nameless: "They will not see who invites them:",
  choose: "choose a nickname",
};
