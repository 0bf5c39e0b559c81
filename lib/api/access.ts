import {
  isAdmin,
  isBot,
  isGuest,
  requireAdmin,
  requireOwner,
  type UserRecord,
} from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";

/**
 * Callers that an endpoint accepts: `public` accepts requests without credentials, `anyone` every account,
 * `anyone_or_spectator` also requests without credentials to an organization that allows spectators, `human`
 * users but not bots, `bot` only bots, `human_or_admin_bot` also bots that are administrators, `member` everyone except
 * guests, `human_member` users except guests, `admin` administrators, `human_admin` users who are
 * administrators, `owner` owners, `incoming_webhook` incoming webhook bots, which may call nothing else.
 */
export type Access =
  | "public"
  | "anyone"
  | "anyone_or_spectator"
  | "human"
  | "bot"
  | "human_or_admin_bot"
  | "member"
  | "human_member"
  | "admin"
  | "human_admin"
  | "owner"
  | "incoming_webhook";

/**
 * Refuses accounts that may not call an endpoint.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export function requireAccess(who: Access, user: UserRecord): void {
  const isForBot = !who.startsWith("human") || who === "human_or_admin_bot" && isAdmin(user);
  if (isBot(user) && !isForBot) {
    throw new AppError("BAD_REQUEST", "This endpoint does not accept bot requests.");
  }
  if (who === "bot" && !isBot(user)) {
    throw new AppError("BAD_REQUEST", "This endpoint only accepts bot requests.");
  }
  if (who.endsWith("member") && isGuest(user)) {
    throw new AppError("BAD_REQUEST", "Not allowed for guest users");
  }
  if (who.endsWith("admin")) requireAdmin(user);
  if (who === "owner") requireOwner(user);
}
