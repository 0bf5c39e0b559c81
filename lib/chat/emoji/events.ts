import type { Tx } from "@/lib/kv/transact.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import type { RealmEmojiRecord } from "./model.ts";

/** Organization and time of a change, in milliseconds since 1970 UTC. */
interface ChangeTime {
  readonly realmId: number;
  readonly now: number;
}

/**
 * Sends everyone an event without the emoji: all of them are too large for an event, so receivers read them.
 */
export function sendEmojiEvent(tx: Tx, at: ChangeTime): void {
  sendEvent(tx, at, { event: { type: "realm_emoji", op: "update" }, audience: "everyone" });
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
