import type { Tx } from "@/lib/kv/transact.ts";
import { emit } from "../events/emit.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import type { MessageChange } from "./edit_rules.ts";
import type { MessageRecord } from "./message.ts";
import type { MovePart } from "./move.ts";

/**
 * Tells of messages that were moved. Who is in the old channel alone is told that they are gone where the new one is
 * private: nobody learns from a move what he could not see. Who is in the new one is told of the move after that.
 */
export function tellMove(
  tx: Tx,
  { realm, now }: GroupWorld,
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
  const gone = {
    type: "delete_message",
    message_ids,
    message_type: "stream",
    stream_id: from.channelId,
    topic: from.topic,
  };
  const place = { realmId: realm.id, now };
  emit(tx, place, { event: part.isToPrivate ? gone : event, audience: { channel: from.channelId } });
  if (from.channelId !== to.channelId) emit(tx, place, { event, audience: { channel: to.channelId } });
}
