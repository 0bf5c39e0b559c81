/** English texts that several pages show. */

export const GONE = "This no longer exists. Someone may have removed it.";
/** A form that a script sent got no response. */
export const FAILED = "Something went wrong. Your input is still here. Try again.";
export const CHARACTERS_OVER = {
  one: "{count} character over the limit",
  other: "{count} characters over the limit",
};
/** Problems of the server that an administrator should act on. */
export const MAIL_GIVEN_UP = {
  one: "{count} email failed in the last 30 days.",
  other: "{count} emails failed in the last 30 days.",
};
export const NO_LIMITS = "Rate limits are off. Password guessing is not slowed down.";
/** Names of the roles of users. */
export const ROLE_TITLES = {
  100: "Owner",
  200: "Administrator",
  300: "Moderator",
  400: "Member",
  600: "Guest",
} as const;
/** Names of the kinds of bots. */
export const BOT_KINDS = {
  1: "Generic",
  2: "Incoming webhook",
  3: "Outgoing webhook",
  4: "Embedded",
} as const;
/** Whether the messages of a channel need a topic. */
export const TOPICS_POLICIES = {
  inherit: "Default",
  allow_empty_topic: "Optional",
  disable_empty_topic: "Required",
  empty_topic_only: "Disabled",
};
/** When people who join by a link confirm their address. */
export const EMAIL_CONFIRMATIONS = {
  automatic: "If this server sends email",
  required: "Always",
  not_required: "Never",
};
/** Ways in which people join by a link. */
export const LINK_JOINING = {
  at_once: "People who open a link join immediately.",
  confirmed: "People who open a link must confirm their address by email.",
  closed: "Nobody can join by link: addresses must be confirmed, but this server sends no email.",
};
export const BULK_ACTION_TITLES = {
  set_role: "Change role",
  add_to_group: "Add to a group",
  subscribe: "Add to a channel",
  unsubscribe: "Remove from a channel",
  deactivate: "Deactivate users",
  reactivate: "Reactivate users",
  import: "Import users",
};
