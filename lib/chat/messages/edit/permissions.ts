import { AppError } from "@/lib/core/errors.ts";
import { findChannelGrant, isChannelPermitted } from "@/lib/chat/channels/model/access.ts";
import { type ChannelRecord, EMPTY_TOPIC_NAME } from "@/lib/chat/channels/model/channel.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { hasRealmPermission } from "@/lib/chat/permissions/model/membership.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { editMessageParams } from "./api.ts";
import {
  isResolutionChange,
  isResolved,
  parseTopic,
  RESOLVED_PREFIX,
  toResolvedTopic,
} from "@/lib/chat/topics/model.ts";
import type { MessageRecord } from "../model.ts";
import type { MessageChange } from "./model.ts";

/** Content of a message that was emptied by an edit. */
const DELETED_CONTENT = "(deleted)";

/** A message and the user who tries to change it. */
export interface EditAttempt {
  readonly message: MessageRecord;
  /** Null in conversations. */
  readonly channel: ChannelRecord | null;
  readonly user: UserRecord;
}

/** Converts submitted content to the form that is stored. */
export function toEditedContent(text: string): string {
  const content = text.replaceAll("\0", "").replace(/^(\s*\n)+/, "").trimEnd();
  return content === "" ? DELETED_CONTENT : content;
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
 * Requires that the user can make a move. Members can rename topics for a week, resolve them at any time and
 * cannot move messages between channels. Moderators and holders of the channel permissions can do all of it
 * at any time.
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
    if (permissions.now - message.sent_at > (grant.limitSeconds ?? Infinity) * 1000) {
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
