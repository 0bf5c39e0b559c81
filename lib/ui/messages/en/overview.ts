/** Messages about problems, on the overview and the page of the status. */
export const overviewMessages = {
  mailGivenUp: {
    one: "{count} email failed in the last 30 days.",
    other: "{count} emails failed in the last 30 days.",
  },
  noLimits: "Rate limits are off. Password guessing is not slowed down.",
};
