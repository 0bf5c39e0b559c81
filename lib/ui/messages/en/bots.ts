/** Messages of the pages of bots. */
export const botMessages = {
  keyLink: "Manage API key",
  lastMessage: "last message {distance}",
  noMessages: "no messages yet",
  deliveriesTitle: "Last deliveries",
  noDeliveries: "No messages were posted in the last seven days.",
  message: "Message",
  trigger: "Reason",
  triggers: { mention: "Mention", direct_message: "Direct message" },
  status: "Status",
  statuses: { waiting: "Waiting", delivered: "Delivered", failed: "Failed" },
  attempts: "Attempts",
  answer: "Answer",
  updated: "Time",
  webhook: {
    uses: {
      2: "Other programs post messages through the webhook URL.",
      3: "Messages for the bot are posted to its address.",
    },
    links: { 2: "Show URL and test", 3: "Test the webhook" },
  },
};
