/** English texts that several pages show. */

export const GONE = "This no longer exists. Someone may have removed it.";
/** A form that a script sent got no response. */
export const FAILED = "Something went wrong. Your input is still here. Try again.";
export const CHARACTERS_OVER = {
  one: "{count} character over the limit",
  other: "{count} characters over the limit",
};
/** Names of the roles of users. */
export const ROLE_NAMES = {
  100: "Owner",
  200: "Administrator",
  300: "Moderator",
  400: "Member",
  600: "Guest",
} as const;
