import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { channelKeys, type ChannelRecord, EMPTY_TOPIC_NAME } from "../organization/channels/model/channel.ts";
import { ROLE, type UserRecord } from "../organization/users/model.ts";
import {
  findChannelGrant,
  hasContentAccess,
  isChannelPermitted,
} from "../organization/channels/model/access.ts";
import { readChannelViewer } from "../channels/store.ts";
import type { SubscriptionRecord } from "../channels/subscriptions/model.ts";
import { hasRealmPermission, type PermissionContext } from "../organization/permissions/model/membership.ts";
import {
  aliased,
  bool,
  choice,
  described,
  exact,
  int,
  optional,
  type Param,
  type ParamValues,
  text,
  trimmed,
  withDefault,
} from "../organization/params/param.ts";
import {
  isResolutionChange,
  isResolved,
  parseTopic,
  RESOLVED_PREFIX,
  toResolvedTopic,
} from "../channels/topics/model.ts";
import { attachmentSchema, toAttachment, type UploadRecord } from "../organization/files/model.ts";
import {
  type ConversationRecord,
  MAX_MESSAGE_LENGTH,
  messageKeys,
  type MessageRecord,
  wasReceived,
} from "./model.ts";

/** Messages that move along with the edited one: none, the later ones of its topic, or all of its topic. */
export const PROPAGATE_MODES = ["change_one", "change_later", "change_all"] as const;

type PropagateMode = typeof PROPAGATE_MODES[number];

export function isMovedAlong(
  mode: PropagateMode,
  { editedId, id }: { editedId: number; id: number },
): boolean {
  return id === editedId || mode === "change_all" || (mode === "change_later" && id > editedId);
}

export interface MessageChange {
  readonly isContentEdited: boolean;
  /** Null when unchanged. */
  readonly topic: string | null;
  /** Null when unchanged. */
  readonly channelId: number | null;
  readonly mode: PropagateMode;
}

/** A message that a user can see and change, as read by the transaction. */
export type EditableMessage =
  | { readonly message: MessageRecord; readonly location: ChannelLocation }
  | {
    readonly message: MessageRecord;
    readonly location: { readonly kind: "direct"; readonly conversation: ConversationRecord };
  };

/** An active channel, with the message visibility of the user who edits. */
export interface ChannelLocation {
  readonly kind: "channel";
  readonly channel: ChannelRecord;
  readonly isVisible: (messageId: number) => boolean;
}

/**
 * Returns a message that a user can see and change; messages of archived channels are read-only.
 * @throws AppError BAD_REQUEST.
 */
export async function getEditableMessage(
  tx: Tx,
  permissions: PermissionContext,
  { id, user }: { id: number; user: UserRecord },
): Promise<EditableMessage> {
  const message = Number.isSafeInteger(id)
    ? await tx.get<MessageRecord>(messageKeys.message(permissions.realm.id, id))
    : null;
  const invalidMessage = () => badRequest("Invalid message(s)");
  if (message === null) throw invalidMessage();
  if (message.channel_id === null) {
    const key = messageKeys.conversation(permissions.realm.id, message.conversation_id ?? 0);
    const conversation = await tx.get<ConversationRecord>(key);
    if (conversation?.user_ids.includes(user.id) !== true) throw invalidMessage();
    return { message, location: { kind: "direct", conversation } };
  }
  const location = await readChannelLocation(tx, permissions, { channelId: message.channel_id, user });
  if (location === null || !location.isVisible(id)) throw invalidMessage();
  return { message, location };
}

/** Reads an active channel whose content a user can read; null when there is none. */
export async function readChannelLocation(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user }: { channelId: number; user: UserRecord },
): Promise<ChannelLocation | null> {
  const { id: realmId } = permissions.realm;
  const viewer = await readChannelViewer(tx, { realmId, channelId, user });
  if (viewer === null || viewer.channel.is_archived || !hasContentAccess(permissions, viewer)) return null;
  const { channel } = viewer;
  const subscription = await tx.get<SubscriptionRecord>(
    channelKeys.subscription(realmId, user.id, channelId),
  );
  return {
    kind: "channel",
    channel,
    isVisible: (id) => channel.history_public_to_subscribers || wasReceived(subscription, id),
  };
}

/** A message and the user who tries to change it. */
interface EditAttempt {
  readonly message: MessageRecord;
  /** Null in conversations. */
  readonly channel: ChannelRecord | null;
  readonly user: UserRecord;
}

/** Converts submitted content to the form that is stored; an edit can empty a message. */
export function toEditedContent(text: string): string {
  const content = text.replaceAll("\0", "").replace(/^(\s*\n)+/, "").trimEnd();
  return content === "" ? "(deleted)" : content;
}

/**
 * Parses the changes that a request makes; the message's current topic and channel count as unchanged.
 * @throws AppError BAD_REQUEST.
 */
export function parseMessageChange(
  { content, topic: sentTopic, stream_id, propagate_mode: mode }: ParamValues<typeof editMessageParams>,
  message: MessageRecord,
): MessageChange {
  const parsedTopic = sentTopic === undefined ? null : parseNewTopic(sentTopic, message);
  const topic = message.channel_id !== null && parsedTopic === message.topic ? null : parsedTopic;
  const channelId = stream_id === undefined || stream_id === message.channel_id ? null : stream_id;
  if (topic === null && content === undefined && channelId === null) throw badRequest("Nothing to change");
  if (message.channel_id === null) {
    if (channelId !== null) throw badRequest("Direct messages cannot be moved to channels.");
    if (topic !== null) throw badRequest("Direct messages cannot have topics.");
  }
  if (mode !== "change_one" && topic === null && channelId === null) {
    throw badRequest("Invalid propagate_mode without topic edit");
  }
  if (topic === RESOLVED_PREFIX.trim() || topic === RESOLVED_PREFIX + EMPTY_TOPIC_NAME) {
    throw badRequest("General chat cannot be marked as resolved");
  }
  if (channelId !== null && content !== undefined) {
    throw badRequest("Cannot change message content while changing channel");
  }
  return { isContentEdited: content !== undefined, topic, channelId, mode };
}

/** Parses the topic that a message moves to; the name of a resolved topic is shortened where it gets too long. */
function parseNewTopic(text: string, { channel_id, topic }: MessageRecord): string {
  const isResolution = channel_id !== null && topic !== "" && text.trim() === RESOLVED_PREFIX + topic;
  return isResolution && !isResolved(topic) ? toResolvedTopic(topic) : parseTopic(text);
}

/**
 * Requires that the user sent the message, that it is no widget and that the organization's edit time limit has
 * not passed.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanEditContent(
  { realm, now }: PermissionContext,
  { message, user }: EditAttempt,
): void {
  if (message.sender_id !== user.id) throw badRequest("You don't have permission to edit this message");
  // Votes and completed tasks refer to the text as it was sent.
  if (message.widget_type !== undefined) throw badRequest("Widgets cannot be edited.");
  const limit = realm.settings.message_content_edit_limit_seconds;
  if (limit !== null && now - message.sent_at > limit * 1000) {
    throw badRequest("The time limit for editing this message has passed");
  }
}

/**
 * Requires that the user can make a move. The organization and the channel permit resolving topics and moving messages.
 * Who may move messages between topics by the organization's permission can do so for a week, moderators at any time.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanMove(
  permissions: PermissionContext,
  { message, channel, user }: EditAttempt & { readonly channel: ChannelRecord },
  { topic, channelId }: Pick<MessageChange, "topic" | "channelId">,
): void {
  const findGrant = (setting: string) => findChannelGrant(permissions, { channel, user }, setting);
  if (topic !== null && isResolutionChange(message.topic, topic)) {
    if (findGrant("can_resolve_topics_group") === null) {
      throw badRequest("You don't have permission to resolve topics in this channel.");
    }
  } else if (topic !== null) {
    const grant = findGrant("can_move_messages_within_channel_group");
    if (grant === null) throw badRequest("You don't have permission to edit this message");
    const limit = user.role <= ROLE.moderator ? undefined : grant.limitSeconds;
    if (permissions.now - message.sent_at > (limit ?? Infinity) * 1000) {
      throw badRequest("The time limit for editing this message's topic has passed.");
    }
  }
  if (channelId !== null && findGrant("can_move_messages_out_of_channel_group") === null) {
    throw badRequest("You don't have permission to move this message");
  }
}

/**
 * Requires that the user can delete any message or, if they sent it, their own within the organization's time
 * limit. The organization grants both permissions, and so does the channel.
 * @throws AppError BAD_REQUEST.
 */
export function requireCanDelete(
  permissions: PermissionContext,
  { message, channel, user }: EditAttempt,
): void {
  const hasPermission = (setting: string) =>
    channel === null
      ? hasRealmPermission(permissions, setting, user)
      : isChannelPermitted(permissions, { channel, user }, setting);
  if (hasPermission("can_delete_any_message_group")) return;
  if (message.sender_id !== user.id || !hasPermission("can_delete_own_message_group")) {
    throw badRequest("You don't have permission to delete this message");
  }
  const limit = permissions.realm.settings.message_content_delete_limit_seconds;
  if (limit !== null && permissions.now - message.sent_at > limit * 1000) {
    throw badRequest("The time limit for deleting this message has passed");
  }
}

function badRequest(message: string): AppError {
  return new AppError("BAD_REQUEST", message);
}

export const editMessageParams = {
  content: described(
    optional(text({ max: MAX_MESSAGE_LENGTH })),
    "Markdown. Empty content is stored as `(deleted)`.",
  ),
  topic: aliased(
    described(
      optional(exact(trimmed())),
      "Topic to move to. The name of a topic that is resolved by the prefix `✔ ` is shortened where it gets too long.",
    ),
    "subject",
  ),
  stream_id: described(optional(int()), "Channel to move to."),
  propagate_mode: described(
    withDefault(propagateMode(), "change_one"),
    "Messages to move: `change_one`: this one; `change_later`: also later ones; `change_all`: the whole topic.",
  ),
  send_notification_to_old_thread: described(
    withDefault(bool(), false),
    "Whether to post a notice of the move in the old topic.",
  ),
  send_notification_to_new_thread: described(
    withDefault(bool(), true),
    "Whether to post a notice of the move in the new topic.",
  ),
  prev_content_sha256: described(
    optional(text({ max: 64 })),
    "SHA-256 of the edited content, in hexadecimal. The edit is rejected if the stored content differs.",
  ),
};

export const editedMessageSchema = z.object({
  detached_uploads: z.array(attachmentSchema).meta({
    description:
      "Your files that no message links any more. They stay accessible to you until you delete them or " +
      "the server does, after five weeks.",
  }),
});

export function toEditResponse(detachedUploads: readonly UploadRecord[]) {
  return { detached_uploads: detachedUploads.map((upload) => toAttachment(upload, [])) };
}

export function propagateMode(): Param<PropagateMode> {
  return choice(PROPAGATE_MODES);
}
