import type { Tx } from "@/lib/store/transact.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import { type RealmEmojiRecord, toRealmEmoji } from "./model.ts";

/** Organization and time of a change, in milliseconds since 1970 UTC. */
interface ChangeTime {
  readonly realmId: number;
  readonly now: number;
}

/** Sends everyone the new emoji; delivery reads all emoji for clients that expect them. */
export function sendEmojiAddEvent(tx: Tx, at: ChangeTime, emoji: RealmEmojiRecord): void {
  const event = { type: "realm_emoji", op: "add", emoji: toRealmEmoji(at.realmId, emoji) };
  sendEvent(tx, at, { event, audience: "everyone" });
}

/** Sends everyone the deactivation of an emoji; delivery reads all emoji for clients that expect them. */
export function sendEmojiDeactivationEvent(tx: Tx, at: ChangeTime, { id }: RealmEmojiRecord): void {
  const data = { deactivated: true };
  const event = { type: "realm_emoji", op: "update_one", emoji_id: String(id), data };
  sendEvent(tx, at, { event, audience: "everyone" });
}

/** Records in the audit log that a custom emoji was added or deactivated. */
export function auditEmoji(
  tx: Tx,
  at: ChangeTime,
  { actor, action, emoji }: {
    actor: Pick<UserRecord, "id">;
    action: "emoji_added" | "emoji_removed";
    emoji: Pick<RealmEmojiRecord, "id" | "name">;
  },
): void {
  recordAudit(tx, at, {
    acting_user_id: actor.id,
    action,
    target: { kind: "emoji", id: emoji.id, name: emoji.name },
  });
}
