/** Messages about invitations that several pages show. */
export const invitationMessages = {
  linkJoining: {
    at_once: "People who open a link join immediately.",
    confirmed: "People who open a link must confirm their address by email.",
    closed: "Nobody can join by link: addresses must be confirmed, but this server sends no email.",
  },
};
