/** Messages of the overview: first steps, figures, problems and changes. */
export const overviewMessages = {
  steps: {
    channel: {
      title: "Create the first channel",
      open: "Messages are sent to channels. Everyone who joins is added to this one.",
      done: "There is a channel.",
      action: "Create channel",
    },
    people: {
      title: "Invite people by link",
      open: "Share a link or its QR code, and see people arrive.",
      done: "People are invited.",
      action: "Invite people",
    },
    connect: {
      title: "Connect an app",
      open: "Connect the app that you will use, or send a first message from the page.",
      done: "An app uses your API key.",
      action: "Connect an app",
    },
    mail: {
      title: "Check email delivery",
      missing:
        "Email is not configured, so invitations and password resets are not delivered. Set SMTP_URL and restart the server.",
      untested: "Send a test email to {address}.",
      failed: "The mail server did not accept the last test email ({reason}). Check SMTP_URL and MAIL_FROM.",
      delivered: "The mail server accepted the last test email.",
    },
    address: {
      title: "Use HTTPS",
      open: "The address is {url}, so traffic is not encrypted. Set BASE_URL to an https address.",
      done: "The address is {url}.",
    },
    backup: {
      title: "Back up the server",
      open: "Run the backup command on the server, and schedule it.",
      done: "Last backup: {moment}.",
    },
  },
  figures: {
    active: "People active today",
    messages: "Messages today",
    visits: "Visits today",
    files: "Uploaded files",
    store: "Store on disk",
  },
  notes: {
    week: { one: "{count} this week", other: "{count} this week" },
    period: { one: "{count} in 30 days", other: "{count} in 30 days" },
    quota: "of {size}",
  },
  problems: {
    noMail: "Email is not configured, so invitations are not delivered.",
    testFailed: "The mail server did not accept the last test email.",
    mailGivenUp: {
      one: "{count} email failed in the last 30 days.",
      other: "{count} emails failed in the last 30 days.",
    },
    fullStorage: {
      one: "Uploads fill {count}% of their storage.",
      other: "Uploads fill {count}% of their storage.",
    },
    expiring: {
      one: "{count} invitation expires within a day.",
      other: "{count} invitations expire within a day.",
    },
    noLimits: "Rate limits are off. Password guessing is not slowed down.",
    plain: "The address does not use HTTPS, so traffic is not encrypted.",
  },
};
