import type { Role } from "@/lib/chat/users/model.ts";

/** Names of the roles in files, the same in every language. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  100: "owner",
  200: "administrator",
  300: "moderator",
  400: "member",
  600: "guest",
};
