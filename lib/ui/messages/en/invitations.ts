/** Messages of the pages of invitations. */
export const invitationMessages = {
  title: "Invitations",
  lede:
    "Invite people by email, or share a reusable link. You cannot invite anyone to a higher role than yours.",
  linkJoining: {
    at_once: "People who open a link join immediately.",
    confirmed: "People who open a link must confirm their address by email.",
    closed: "Nobody can join by link: addresses must be confirmed, but this server sends no email.",
  },
  mayNotEmail: "You do not have permission to send email invitations. An owner can change this.",
  mayNotLink: "You do not have permission to create reusable links. An owner can change this.",
  noMailAdvice: "Invite people here and give each of them the link of their invitation, or share one link.",
  emailsHint:
    "Separate addresses with commas or new lines. Names are allowed, as in Noor Lake <noor@example.com>.",
  /** Messages of the address field. */
  pills: {
    addressProblem: "{email}: {problem}",
    moreProblems: {
      one: "{count} more address cannot be invited.",
      other: "{count} more addresses cannot be invited.",
    },
    othersReady: { one: "{count} other address is ready.", other: "{count} other addresses are ready." },
    ready: { one: "{count} address is ready.", other: "{count} addresses are ready." },
    noneReady: "None of these addresses can be invited.",
    emailsPlaceholder: "Enter or paste addresses",
    removeAddress: "Remove {email}",
    moreAddresses: { one: "and {count} more", other: "and {count} more" },
    invite: { one: "Invite {count} person", other: "Invite {count} people" },
    inviteNobody: "Invite",
    chooseFile: "Choose a file",
    dropHint: "You can also drop a text or CSV file into the box.",
    fileUnread: "The file could not be read. Choose a text file of up to 1 MB.",
  },
  invited: { one: "{count} person invited.", other: "{count} people invited." },
  invitedUnsent: {
    one: "{count} person invited. No email was sent: copy the link below and pass it on.",
    other: "{count} people invited. No email was sent: copy their links below and pass them on.",
  },
  partlyKept: "Addresses that could not be invited are still in the box, with the reason.",
  dailyLimit:
    "This is more than the organization can invite in one day, so no invitations were sent. Try again tomorrow, or use a reusable link.",
  minutes: { one: "{count} minute", other: "{count} minutes" },
  hours: { one: "{count} hour", other: "{count} hours" },
  days: { one: "{count} day", other: "{count} days" },
  units: { minutes: "minutes", hours: "hours", days: "days", weeks: "weeks" },
  welcomes: {
    default: "Default message of the organization",
    none: "None",
    own: "Custom message…",
  },
  welcomeTextHint: {
    one: "Supports Markdown. Up to {count} character.",
    other: "Supports Markdown. Up to {count} characters.",
  },
  andMore: { one: "{items} and {count} more", other: "{items} and {count} more" },
  joined: { one: "{count} user joined", other: "{count} users joined" },
  live: { copied: "Link copied.", expired: "expired" },
  linkLede: "Anyone with this link can join. Share it with care.",
  hiddenChannels: {
    one: "{count} channel that you cannot add people to is also kept.",
    other: "{count} channels that you cannot add people to are also kept.",
  },
  arrivals: {
    waitingHint: "Share the link or the QR code. This page shows who joins as it happens.",
  },
};
