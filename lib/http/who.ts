import { requireAdmin, requireOwner } from "@/lib/chat/users/rights.ts";
import { isAdmin, isBot, isGuest, type UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";

/**
 * Who may call an endpoint: anybody at all, anyone with an account, such a one or whoever comes without credentials to an
 * organization that lets spectators read, people, people and bots that administer, all but
 * guests, people who are no guests, administrators, administrators who are people, owners.
 */
export type Who =
  | "public"
  | "anyone"
  | "anyone_or_spectator"
  | "human"
  | "human_or_admin_bot"
  | "member"
  | "human_member"
  | "admin"
  | "human_admin"
  | "owner";

/**
 * Refuses accounts for which an endpoint is not.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export function requireWho(who: Who, user: UserRecord): void {
  const isForBot = !who.startsWith("human") || who === "human_or_admin_bot" && isAdmin(user);
  if (isBot(user) && !isForBot) {
    throw new AppError("BAD_REQUEST", "This endpoint does not accept bot requests.");
  }
  if (who.endsWith("member") && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "Not allowed for guest users");
  }
  if (who.endsWith("admin")) requireAdmin(user);
  if (who === "owner") requireOwner(user);
}
