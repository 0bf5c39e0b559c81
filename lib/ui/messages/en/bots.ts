/** Messages of the pages of bots. */
export const botMessages = {
  triggers: { mention: "Mention", direct_message: "Direct message" },
  statuses: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
  webhook: {
    uses: {
      2: "Other programs post messages through the webhook URL.",
      3: "Messages for the bot are posted to its address.",
    },
    links: { 2: "Show URL and test", 3: "Test the webhook" },
  },
};
