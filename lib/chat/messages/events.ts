import type { Audience } from "../organization/events/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import type { TopicLocation } from "../channels/topics/model.ts";
import type { UserRecord } from "../organization/users/model.ts";
import type { EditableMessage, MessageChange } from "./edit_rules.ts";
import type { MessageRecord } from "./model.ts";

/**
 * Sends the event of moved messages to both channels; `message` is the one that the request named, before the move.
 * Delivery adapts it to a deletion for users who cannot see the new location, so that a move reveals nothing to them.
 */
export function sendMoveEvents(
  tx: Tx,
  { realm, now }: PermissionContext,
  { from, to, change, ids, message, user, isContentEdited }: {
    from: TopicLocation;
    to: TopicLocation;
    change: MessageChange;
    ids: readonly number[];
    message: MessageRecord;
    user: UserRecord;
    isContentEdited: boolean;
  },
): void {
  if (ids.length === 0) return;
  const message_ids = ids.toSorted((a, b) => a - b);
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
  const at = { realmId: realm.id, now };
  sendEvent(tx, at, { event, audience: { channel: from.channelId } });
  if (from.channelId !== to.channelId) sendEvent(tx, at, { event, audience: { channel: to.channelId } });
}

/** Sends the event of an edit that changed a message's content alone. */
export function sendContentEditEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { editable: { message, location }, editor }: { editable: EditableMessage; editor: UserRecord },
): void {
  sendEvent(tx, { realmId: realm.id, now }, {
    event: {
      type: "update_message",
      user_id: editor.id,
      edit_timestamp: Math.floor(now / 1000),
      message_id: message.id,
      message_ids: [message.id],
      is_content_edited: true,
      rendering_only: false,
      ...(location.kind === "channel" ? { stream_id: location.channel.id } : {}),
    },
    audience: audienceOf(location),
  });
}

export function sendDeleteEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { message, location }: EditableMessage,
): void {
  const details = location.kind === "channel"
    ? { message_type: "stream", stream_id: location.channel.id, topic: message.topic }
    : { message_type: "private" };
  const event = { type: "delete_message", message_ids: [message.id], ...details };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: audienceOf(location) });
}

export function audienceOf(location: EditableMessage["location"]): Audience {
  return location.kind === "channel" ? { channel: location.channel.id } : location.conversation.user_ids;
}
