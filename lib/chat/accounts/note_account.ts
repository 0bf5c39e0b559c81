import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import type { AccountChange } from "./change_account.ts";

/** What somebody did to an account. */
export interface NotedAccount {
  /** Null for the operator at the command line. */
  readonly actor: Pick<UserRecord, "id"> | null;
  readonly user: UserRecord;
  readonly what: keyof typeof BOT_ACTIONS;
  readonly details?: AuditDetails;
}

/** What the same is called for a bot. */
const BOT_ACTIONS = {
  created: "bot_created",
  deactivated: "bot_deactivated",
  reactivated: "bot_reactivated",
  role_changed: "bot_changed",
  renamed: "bot_changed",
  email_changed: "bot_changed",
  profile_changed: "bot_changed",
  key_reset: "bot_key_reset",
  sessions_ended: "bot_changed",
} as const satisfies Record<string, AuditAction>;

/** Notes in the audit log what somebody did to a person's or a bot's account. */
export function noteAccount(
  { app, tx, realm }: AccountChange,
  { actor, user, what, details = {} }: NotedAccount,
): void {
  const kind = isBot(user) ? "bot" : "user";
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actor?.id ?? null,
    action: kind === "bot" ? BOT_ACTIONS[what] : `user_${what}`,
    target: { kind, id: user.id, name: user.full_name },
    details,
  });
}

/** Notes what became of an account's name, role, address and, for a bot, owner; nothing where all is as before. */
export function noteAccountChange(
  change: AccountChange,
  actor: Pick<UserRecord, "id">,
  { before, after: user }: { before: UserRecord; after: UserRecord },
): void {
  const details = differencesOf(before, user, ["full_name", "role", "bot_owner_id"]);
  if (isBot(user)) {
    if (Object.keys(details).length > 0) noteAccount(change, { actor, user, what: "renamed", details });
    return;
  }
  const { role, full_name } = details;
  if (role !== undefined) noteAccount(change, { actor, user, what: "role_changed", details: { role } });
  if (full_name !== undefined) noteAccount(change, { actor, user, what: "renamed", details: { full_name } });
  // Addresses are for those alone to whom their holders show them.
  if (before.delivery_email !== user.delivery_email) {
    noteAccount(change, { actor, user, what: "email_changed" });
  }
}
