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
export const ROLE_NAMES = {
  100: "Owner",
  200: "Administrator",
  300: "Moderator",
  400: "Member",
  600: "Guest",
} as const;
