import type { Tx } from "@/lib/kv/transact.ts";
import { sendEvent } from "../events/emit.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import type { MessageChange } from "./edit_rules.ts";
import type { MessageRecord } from "./message.ts";
import type { MovePart } from "./move.ts";

/**
 * Tells of messages that were moved, in both channels. Whoever may not see them where they are now is told that they are
 * gone: nobody learns from a move what he could not see.
 */
export function tellMove(
  tx: Tx,
  { realm, now }: PermissionContext,
  { part, change, ids, message, user, isContentEdited }: {
    part: MovePart;
    change: MessageChange;
    ids: readonly number[];
    message: MessageRecord;
    user: UserRecord;
    isContentEdited: boolean;
  },
): void {
  const { from, to } = part;
  const message_ids = ids.toSorted((one, other) => one - other);
  const event = {
    type: "update_message",
    user_id: user.id,
    edit_timestamp: Math.floor(now / 1000),
    message_id: message.id,
    message_ids,
    is_content_edited: isContentEdited,
    rendering_only: false,
    propagate_mode: change.mode,
    stream_id: from.channelId,
    orig_subject: from.topic,
    ...(change.topic === null ? {} : { subject: to.topic }),
    ...(change.channelId === null ? {} : { new_stream_id: to.channelId }),
  };
  const place = { realmId: realm.id, now };
  sendEvent(tx, place, { event, audience: { channel: from.channelId } });
  if (from.channelId !== to.channelId) sendEvent(tx, place, { event, audience: { channel: to.channelId } });
}
