import { type Key, toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { COMMIT_BUDGET } from "@/lib/store/kv.ts";
import {
  countTopicBytes,
  foldTopic,
  isResolutionChange,
  isSameTopic,
  type TopicLocation,
} from "../channels/topics/model.ts";
import type { ChatApp } from "../organization/app.ts";
import { channelKeys } from "../organization/channels/model/channel.ts";
import { hasChannelPermission, invalidChannel } from "../organization/channels/model/access.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import type { UserRecord } from "../organization/users/model.ts";
import { messageKeys, type MessageRecord, type TopicRecord } from "./model.ts";
import {
  type ChannelLocation,
  isMovedAlong,
  type MessageChange,
  readChannelLocation,
  requireCanMove,
} from "./edit_rules.ts";
import { openTopic, requireTopic } from "./recipient.ts";
import { type EditRecord, writeEditedMessage } from "./edit_history.ts";
import { listTopicWords, recordWordChange } from "./word_index/store.ts";

/** Range of stored sums: adding `SUM_RANGE - n` subtracts n, as sums take only positive amounts. */
const SUM_RANGE = 2n ** 64n;

/**
 * Serializes changes of a topic's messages: of two concurrent transactions one is retried, so messages of the
 * topic can be read without a check of their own. Every change of a channel message must call this.
 */
export async function lockTopic(tx: Tx, realmId: number, { channelId, topic }: TopicLocation): Promise<void> {
  const key = messageKeys.topic(realmId, channelId, topic);
  const record = await tx.get<TopicRecord>(key);
  if (record !== null) tx.set(key, record);
}

/** Returns whether a locked topic has messages that a user can see, apart from some. */
export async function hasVisibleMessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  { topic: { channelId, topic }, isVisible, except }: {
    topic: TopicLocation;
    isVisible: (messageId: number) => boolean;
    except: ReadonlySet<number>;
  },
): Promise<boolean> {
  const prefix = [...messageKeys.ofTopic(realmId, channelId, topic)];
  for await (const entry of store.kv.list({ prefix }, { reverse: true })) {
    const id = Number(toEntry(entry).key.at(-1));
    if (!except.has(id) && isVisible(id)) return true;
  }
  return false;
}

/** Subtracts messages from the count of a locked topic and deletes the topic with its last message. */
export async function decrementTopicCount(
  tx: Tx,
  realmId: number,
  { location: { channelId, topic }, count }: { location: TopicLocation; count: number },
): Promise<void> {
  const key = messageKeys.topicCount(realmId, channelId, topic);
  const left = (await tx.peek<Deno.KvU64>(key))?.value ?? 0n;
  // Concurrent sends only increase the count, so only the removal of a topic needs a checked read.
  if (left > BigInt(count) || ((await tx.get<Deno.KvU64>(key))?.value ?? 0n) > BigInt(count)) {
    tx.sum(key, SUM_RANGE - BigInt(count));
    return;
  }
  tx.delete(key);
  tx.delete(messageKeys.topic(realmId, channelId, topic));
  // Messages rely on the topic without checking it.
  tx.countUp(realmId);
  if (topic === "") return;
  const namedKey = channelKeys.namedTopicCount(realmId, channelId);
  // Set rather than summed: a rename adds its new name on top of this value.
  const named = (await tx.get<Deno.KvU64>(namedKey))?.value ?? 1n;
  tx.set(namedKey, new Deno.KvU64(named - 1n));
}

/** Returns the topic that a message was first sent to. */
function toOriginalTopic({ read_channel_id, channel_id, read_bucket }: MessageRecord) {
  return { channelId: read_channel_id ?? channel_id ?? 0, bucket: read_bucket };
}

/** Returns the markers of a message that is not in the topic it was sent to; otherwise none. */
function listMoveMarkers(realmId: number, message: MessageRecord): [key: Key, value: true | number][] {
  const original = toOriginalTopic(message);
  const current = { channelId: message.channel_id ?? 0, bucket: foldTopic(message.topic) };
  if (current.channelId === original.channelId && current.bucket === original.bucket) return [];
  return [
    [[...messageKeys.movedInto(realmId, current), message.id], true],
    [[...messageKeys.movedOut(realmId, original), message.id], current.channelId],
  ];
}

/** Deletes the markers of a message before it leaves its topic. */
export function deleteMoveMarkers(tx: Tx, realmId: number, message: MessageRecord): void {
  for (const [key] of listMoveMarkers(realmId, message)) tx.delete(key);
}

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

/** A move, or the remaining part of one. */
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
interface MoveBatch {
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
  let bytesLeft = MAX_BYTES - (isLast ? load.bytes + countRecordBytes(message) : 0);
  let keyBytesLeft = MAX_KEY_BYTES - (isLast ? load.keyBytes + countKeyBytes(message, request) : 0);
  for (const [at, each] of read.entries()) {
    // Messages moved or deleted since the listing stay.
    if (each === null || each.id === message.id || each.channel_id === null) continue;
    if (!isSameTopic({ channelId: each.channel_id, topic: each.topic }, request.from)) continue;
    if (!location.isVisible(each.id) || !isMovedAlong(change.mode, { editedId: message.id, id: each.id })) {
      continue;
    }
    bytesLeft -= countRecordBytes(each);
    keyBytesLeft -= countKeyBytes(each, request);
    const isFull = bytesLeft < 0 || keyBytesLeft < 0;
    // The first message always fits: a record never exceeds the limit of a commit.
    if (isFull && messages.length > 0) return { messages, remaining: companions.slice(at) };
    if (isFull && isLast) return { messages: [each], remaining: companions.slice(at + 1) };
    messages.push(each);
  }
  return { messages, remaining: isLast ? null : companions.slice(ids.length) };
}

function countRecordBytes({ content, rendered, history_bytes = 0 }: MessageRecord): number {
  return RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)) + history_bytes;
}

/** Counts the bytes of the keys that a move writes: two for each of the topics and the one it was sent to. */
function countKeyBytes({ read_bucket }: MessageRecord, { from, to }: MoveRequest): number {
  return KEY_BYTES + 2 * countTopicBytes(from.topic) + 2 * countTopicBytes(to.topic) +
    2 * countTopicBytes(read_bucket);
}

/**
 * Writes one batch of a move and returns the moved ids; `changed` is the named message when it moves in this
 * batch.
 */
export async function writeMoveBatch(
  tx: Tx,
  permissions: PermissionContext,
  { batch, user, changed }: {
    batch: MoveBatch;
    user: UserRecord;
    changed: Pick<MovedMessage, "before" | "after" | "edit"> | null;
  },
): Promise<number[]> {
  const { id: realmId } = permissions.realm;
  const { from, to, isRenamed, messages } = batch;
  const targetOf = ({ topic }: MessageRecord) => isRenamed ? to : { ...to, topic };
  const all = [
    ...messages.map((before) => ({ before, after: before, edit: {} })),
    ...(changed === null ? [] : [changed]),
  ];
  // A commit that moves policies only creates no topic without messages.
  if (all.length === 0) return [];
  await openTopic(tx, permissions, { channel: batch.target.channel, topic: to.topic, user });
  await Promise.all(
    all.map((moved) => writeMovedMessage(tx, permissions, { ...moved, to: targetOf(moved.before), user })),
  );
  tx.sum(messageKeys.moveVersion(realmId), 1n);
  if (!isSameTopic(from, to)) {
    await decrementTopicCount(tx, realmId, { location: from, count: all.length });
    tx.sum(messageKeys.topicCount(realmId, to.channelId, to.topic), BigInt(all.length));
  } else if (batch.remaining === null) {
    tx.set(messageKeys.topic(realmId, to.channelId, to.topic), { name: to.topic } satisfies TopicRecord);
    tx.countUp(realmId);
  }
  const ids = all.map(({ before }) => before.id);
  const topics = new Set(all.map(({ before }) => before.topic));
  recordWordChange(tx, realmId, { ids, words: isRenamed ? diffTopicWords(topics, to.topic) : [] });
  return ids;
}

/** Returns the words of the index that messages of some topics lose or get when they move to another one. */
function diffTopicWords(from: ReadonlySet<string>, to: string): ReadonlySet<string> {
  const words = listTopicWords(to);
  return new Set([...from].flatMap((topic) => [...words.symmetricDifference(listTopicWords(topic))]));
}

/** A message that moves; `after` includes a content edit, and `edit` its history fields. */
interface MovedMessage {
  readonly before: MessageRecord;
  readonly after: MessageRecord;
  readonly edit: Partial<EditRecord>;
  readonly to: TopicLocation;
  readonly user: UserRecord;
}

async function writeMovedMessage(
  tx: Tx,
  { realm, now }: PermissionContext,
  one: MovedMessage,
): Promise<void> {
  const { before, edit, to, user } = one;
  const { id, channel_id } = before;
  const moved = toMovedMessage(one, now);
  deleteMoveMarkers(tx, realm.id, before);
  for (const [key, value] of listMoveMarkers(realm.id, moved)) tx.set(key, value);
  tx.delete([...messageKeys.ofTopic(realm.id, channel_id ?? 0, before.topic), id]);
  tx.set([...messageKeys.ofTopic(realm.id, to.channelId, to.topic), id], true);
  if (channel_id !== to.channelId) {
    tx.delete([...messageKeys.ofChannel(realm.id, channel_id ?? 0), id]);
    tx.set([...messageKeys.ofChannel(realm.id, to.channelId), id], true);
  }
  await writeEditedMessage(tx, { realmId: realm.id, message: moved }, {
    user_id: user.id,
    at: now,
    is_content_edited: false,
    ...edit,
    ...(before.topic === to.topic ? {} : { prev_topic: before.topic, topic: to.topic }),
    ...(channel_id === null || channel_id === to.channelId
      ? {}
      : { prev_channel_id: channel_id, channel_id: to.channelId }),
  });
}

/** Returns the record after the move; resolving a topic does not count as a move. */
function toMovedMessage({ before, after, to }: MovedMessage, now: number): MessageRecord {
  const { channelId: original } = toOriginalTopic(before);
  const { read_channel_id: _, ...rest } = after;
  const isMove = before.channel_id !== to.channelId || !isResolutionChange(before.topic, to.topic);
  return {
    ...rest,
    channel_id: to.channelId,
    topic: to.topic,
    ...(original === to.channelId ? {} : { read_channel_id: original }),
    moved_at: isMove ? now : before.moved_at,
  };
}
