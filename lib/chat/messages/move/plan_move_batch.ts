import { AppError } from "@/lib/core/errors.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { hasChannelPermission, invalidChannel } from "@/lib/chat/channels/model/access.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { readChannelLocation } from "../edit/access.ts";
import { requireCanMove } from "../edit/permissions.ts";
import { countTopicBytes, isSameTopic, type TopicLocation } from "@/lib/chat/topics/model.ts";
import { type ChannelLocation, isMovedAlong, type MessageChange } from "../edit/model.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import { lockTopic } from "./store.ts";
import { requireTopic } from "../send/open_recipient.ts";

/** Maximum number of messages that one commit moves. */
const MAX_MOVED_PER_COMMIT = 100;
/** Maximum number of keys that the move of one message writes. */
const WRITES_PER_MESSAGE = 9;
/** Number of keys available for the moves of one commit. */
const MAX_WRITES = 950;
/** Maximum size of all records that one commit moves, in bytes; a store commit holds 819,200 with keys. */
const MAX_BYTES = 500_000;
/** Size of a record without its texts, in bytes. */
const RECORD_BYTES = 1500;
/** Maximum size of the keys that one commit writes for messages, in bytes. */
const MAX_KEY_BYTES = COMMIT_BUDGET.keyBytes - 4000;
/** Size of the keys of one message without names of topics, in bytes. */
const KEY_BYTES = 40 * WRITES_PER_MESSAGE;

/** A move, or the rest of one. */
export interface MoveRequest {
  /** The named message; it moves last, so that repeating the request completes an interrupted move. */
  readonly message: MessageRecord;
  readonly location: ChannelLocation;
  readonly user: UserRecord;
  readonly change: MessageChange;
  readonly from: TopicLocation;
  readonly to: TopicLocation;
  /** Ids of messages that may move along, ascending. */
  readonly companions: readonly number[];
  /** Additional writes of the last commit. */
  readonly load: CommitLoad;
}

/** Writes of a commit, and sizes of their keys and values in bytes. */
export interface CommitLoad {
  readonly writes: number;
  readonly bytes: number;
  readonly keyBytes: number;
}

/** Messages that one commit moves. */
export interface MoveBatch {
  readonly from: TopicLocation;
  readonly to: TopicLocation;
  /** Channel that messages move to. */
  readonly target: ChannelLocation;
  /** Whether the topic's name changes; otherwise each message keeps its own spelling of it. */
  readonly isRenamed: boolean;
  /** Messages that move along, before the move. */
  readonly messages: readonly MessageRecord[];
  /** Ids that are left to move before the named message; null when it moves in this commit. */
  readonly remaining: readonly number[] | null;
}

/**
 * Chooses the messages of the next commit and checks permissions.
 * @throws AppError BAD_REQUEST.
 */
export async function planMoveBatch(
  tx: Tx,
  permissions: PermissionContext,
  request: MoveRequest,
): Promise<MoveBatch> {
  const { message, location: { channel }, user, change, from, to } = request;
  await lockTopic(tx, permissions.realm.id, from);
  const { messages, remaining } = await takeCompanions(tx, permissions.realm.id, request);
  const sent_at = Math.min(message.sent_at, ...messages.map((each) => each.sent_at));
  requireCanMove(permissions, { message: { ...message, sent_at }, channel, user }, change);
  const target = await getTargetChannel(tx, permissions, request);
  const known = await requireTopic(tx, permissions, { channel: target.channel, topic: to.topic, user });
  if (known !== null && !isSameTopic(from, to)) await lockTopic(tx, permissions.realm.id, to);
  const isRenamed = change.topic !== null;
  return { from, to, target, isRenamed, messages, remaining };
}

/** Returns the channel that messages move to, which the user must be able to read and send to. */
async function getTargetChannel(
  tx: Tx,
  permissions: PermissionContext,
  { location, user, change }: MoveRequest,
): Promise<ChannelLocation> {
  if (change.channelId === null) return location;
  const target = await readChannelLocation(tx, permissions, { channelId: change.channelId, user });
  if (target === null) throw invalidChannel();
  if (!hasChannelPermission(permissions, { channel: target.channel, user }, "can_send_message_group")) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${target.channel.name}'`);
  }
  return target;
}

async function takeCompanions(
  tx: Tx,
  realmId: number,
  request: MoveRequest,
): Promise<Pick<MoveBatch, "messages" | "remaining">> {
  const { companions, load, location, change, message } = request;
  const lastRoom = Math.floor((MAX_WRITES - load.writes) / WRITES_PER_MESSAGE) - 1;
  const isLast = companions.length <= Math.max(0, Math.min(MAX_MOVED_PER_COMMIT - 1, lastRoom));
  const ids = companions.slice(0, MAX_MOVED_PER_COMMIT);
  const read = await Promise.all(ids.map((id) => tx.peek<MessageRecord>(messageKeys.message(realmId, id))));
  const messages: MessageRecord[] = [];
  let room = MAX_BYTES - (isLast ? load.bytes + countRecordBytes(message) : 0);
  let keyRoom = MAX_KEY_BYTES - (isLast ? load.keyBytes + countKeyBytes(message, request) : 0);
  for (const [at, each] of read.entries()) {
    if (each === null || !isCompanion(each, request)) continue;
    if (!location.isVisible(each.id) || !isMovedAlong(change.mode, { editedId: message.id, id: each.id })) {
      continue;
    }
    room -= countRecordBytes(each);
    keyRoom -= countKeyBytes(each, request);
    const isFull = room < 0 || keyRoom < 0;
    // The first message always fits: a record never exceeds the limit of a commit.
    if (isFull && messages.length > 0) return { messages, remaining: companions.slice(at) };
    if (isFull && isLast) return { messages: [each], remaining: companions.slice(at + 1) };
    messages.push(each);
  }
  return { messages, remaining: isLast ? null : companions.slice(ids.length) };
}

/** Returns whether a message is still in the topic; messages moved or deleted since the listing stay. */
function isCompanion(
  { id, channel_id, topic }: MessageRecord,
  { message, from }: MoveRequest,
): boolean {
  return id !== message.id && channel_id !== null &&
    isSameTopic({ channelId: channel_id, topic }, from);
}

function countRecordBytes({ content, rendered, history_bytes = 0 }: MessageRecord): number {
  return RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)) + history_bytes;
}

/** Counts the bytes of the keys that a move writes: two for each of the topics and the one it was sent to. */
function countKeyBytes({ read_bucket }: MessageRecord, { from, to }: MoveRequest): number {
  return KEY_BYTES + 2 * countTopicBytes(from.topic) + 2 * countTopicBytes(to.topic) +
    2 * countTopicBytes(read_bucket);
}
