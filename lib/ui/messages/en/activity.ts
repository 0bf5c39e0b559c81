/** Messages about the activity of an organization. */
export const activityMessages = {
  messages: { one: "{count} message", other: "{count} messages" },
  noMessages: "No messages in this period.",
  active: { one: "{count} active person", other: "{count} active people" },
  noActive: "No activity in this period.",
};
