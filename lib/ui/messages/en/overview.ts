/** Messages of the overview: first steps, figures and problems. */
export const overviewMessages = {
  title: "Overview",
  lede: "{organization} at a glance.",
  stepsTitle: "Get started",
  stepsDone: "{count} of {total} done",
  done: "Done",
  open: "To do",
  hideSteps: "Hide these steps",
  showSteps: "Show the first steps again",
  steps: {
    mail: {
      title: "Check email delivery",
      missing:
        "Email isn't configured, so invitations and password resets won't be delivered. Set SMTP_URL and restart the server.",
      untested: "Send a test email to {address}.",
      failed: "The mail server did not accept the last test email ({reason}). Check SMTP_URL and MAIL_FROM.",
      delivered: "The mail server accepted the last test email.",
      action: "Create an invitation link",
    },
    address: {
      title: "Use HTTPS",
      open: "The address is {url}, so traffic is not encrypted. Set BASE_URL to an https address.",
      done: "The address is {url}.",
    },
    people: {
      title: "Invite people",
      open: "Send invitations by email, or share a link.",
      done: "People are invited.",
      action: "Invite people",
    },
    channel: {
      title: "Create the first channel",
      open: "Messages are sent to channels.",
      done: "There is a channel.",
      action: "Create channel",
    },
    backup: {
      title: "Back up the server",
      open: "Run “deno task admin backup FILE” on the server, and schedule it.",
      done: "Last backup: {moment}.",
    },
  },
  figuresTitle: "Figures",
  figures: {
    activeToday: "People active today",
    activeWeek: "People active this week",
    invitations: "Pending invitations",
    storage: "Storage used",
    links: "Short links",
    visits: "Visits",
  },
  notes: {
    utc: "since 00:00 UTC",
    monday: "since Monday, UTC",
    quota: "of {size}",
    visitsToday: { one: "{count} today", other: "{count} today" },
  },
  problemsTitle: "Server",
  noProblems: "No problems found.",
  problems: {
    noMail: "Email isn't configured, so invitations won't be delivered.",
    testFailed: "The mail server did not accept the last test email.",
    mailGivenUp: {
      one: "{count} email failed in the last 30 days.",
      other: "{count} emails failed in the last 30 days.",
    },
    fullStorage: "Storage is nearly full.",
    noLimits: "Rate limits are off. Password guessing is not slowed down.",
    plain: "The address does not use HTTPS, so traffic is not encrypted.",
  },
  toStatus: "View status",
};
