import { AppError } from "@/lib/core/errors.ts";
import { may } from "../channels/access.ts";
import { type ChannelRecord, EMPTY_TOPIC_NAME } from "../channels/channel.ts";
import type { ParamValues } from "../params/param.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { isAdmin, isGuest, ROLE, type UserRecord } from "../users/user.ts";
import type { editMessageParams } from "./edit_params.ts";
import { isResolution, type PropagateMode, readTopic, RESOLVED_PREFIX } from "./edit_topic.ts";
import type { MessageRecord } from "./message.ts";

/** For how long members move messages, in milliseconds. */
const MOVE_LIMIT_MS = 7 * 24 * 60 * 60 * 1000;
/** What takes the place of a content that was emptied. */
const DELETED = "(deleted)";

/** What is to become of a message. */
export interface MessageChange {
  readonly isContentEdited: boolean;
  /** Null where it stays. */
  readonly topic: string | null;
  /** Null where it stays. */
  readonly channelId: number | null;
  readonly mode: PropagateMode;
}

/** A message that somebody changes. */
export interface Editing {
  readonly message: MessageRecord;
  /** Null in conversations. */
  readonly channel: ChannelRecord | null;
  readonly user: UserRecord;
}

/** The content of an edit as it is kept. */
export function readEditedContent(text: string): string {
  const content = text.replaceAll("\0", "").replace(/^(\s*\n)+/, "").trimEnd();
  return content === "" ? DELETED : content;
}

/**
 * What a request changes of a message; a topic or a channel that it is in already is no change.
 * @throws AppError BAD_REQUEST.
 */
export function readChange(
  { content, topic: written, stream_id, propagate_mode: mode }: ParamValues<typeof editMessageParams>,
  message: MessageRecord,
): MessageChange {
  const named = written === undefined ? null : readTopic(written);
  const topic = message.channel_id !== null && named === message.topic ? null : named;
  const channelId = stream_id === undefined || stream_id === message.channel_id ? null : stream_id;
  if (topic === null && content === undefined && channelId === null) throw refusal("Nothing to change");
  if (message.channel_id === null) {
    if (channelId !== null) throw refusal("Direct messages cannot be moved to channels.");
    if (topic !== null) throw refusal("Direct messages cannot have topics.");
  }
  if (mode !== "change_one" && topic === null && channelId === null) {
    throw refusal("Invalid propagate_mode without topic edit");
  }
  if (topic === RESOLVED_PREFIX.trim() || topic === RESOLVED_PREFIX + EMPTY_TOPIC_NAME) {
    throw refusal("General chat cannot be marked as resolved");
  }
  if (channelId !== null && content !== undefined) {
    throw refusal("Cannot change message content while changing channel");
  }
  return { isContentEdited: content !== undefined, topic, channelId, mode };
}

/**
 * Refuses an edit of the content by anybody but the sender, and after the organization's time for it.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayEditContent({ realm, now }: PermissionContext, { message, user }: Editing): void {
  if (message.sender_id !== user.id) throw refusal("You don't have permission to edit this message");
  const limit = realm.settings.message_content_edit_limit_seconds;
  if (limit !== null && now - message.sent_at > limit * 1000) {
    throw refusal("The time limit for editing this message has passed");
  }
}

/**
 * Refuses a move that somebody may not make. Members rename topics for a week, resolve them at any time and move
 * nothing to other channels; moderators, and who was given the channel's permissions, do all of it at any time.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayMove(
  permissions: PermissionContext,
  { message, channel, user }: Editing & { readonly channel: ChannelRecord },
  { topic, channelId }: Pick<MessageChange, "topic" | "channelId">,
): void {
  const holds = (setting: string) => isModerator(user) || may(permissions, { channel, user }, setting);
  if (topic !== null && isResolution(message.topic, topic)) {
    if (isGuest(user) && !holds("can_resolve_topics_group")) {
      throw refusal("You don't have permission to resolve topics in this channel.");
    }
  } else if (topic !== null && !holds("can_move_messages_within_channel_group")) {
    if (isGuest(user)) throw refusal("You don't have permission to edit this message");
    if (permissions.now - message.sent_at > MOVE_LIMIT_MS) {
      throw refusal("The time limit for editing this message's topic has passed.");
    }
  }
  if (channelId !== null && !holds("can_move_messages_out_of_channel_group")) {
    throw refusal("You don't have permission to move this message");
  }
}

/**
 * Refuses a deletion by who may delete neither any message nor his own.
 * @throws AppError BAD_REQUEST.
 */
export function requireMayDelete(permissions: PermissionContext, { message, channel, user }: Editing): void {
  if (isAdmin(user)) return;
  const holds = (setting: string) => channel !== null && may(permissions, { channel, user }, setting);
  const isOwn = message.sender_id === user.id && holds("can_delete_own_message_group");
  if (isOwn || holds("can_delete_any_message_group")) return;
  throw refusal("You don't have permission to delete this message");
}

function isModerator({ role }: UserRecord): boolean {
  return role <= ROLE.moderator;
}

function refusal(message: string): AppError {
  return new AppError("BAD_REQUEST", message);
}
