import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { invalidChannel, may } from "../channels/access.ts";
import type { ChannelRecord } from "../channels/channel.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import { type ChannelPlace, readChannelPlace } from "./edit_access.ts";
import { type MessageChange, requireMayMove } from "./edit_rules.ts";
import { isMoved, isResolution } from "./edit_topic.ts";
import { type EditRecord, historyBytes, withEdit } from "./history_record.ts";
import { messageKeys, type MessageRecord, type TopicRecord } from "./message.ts";
import {
  enterForeign,
  holdTopic,
  homeOf,
  isSameTopic,
  leaveForeign,
  leaveTopic,
  type TopicPlace,
} from "./move_topic.ts";
import { enterTopic } from "./place.ts";

/** Messages that one commit moves. */
export const MOVED_AT_ONCE = 100;
/** Keys that the move of one message writes at most. */
const WRITES_PER_MESSAGE = 9;
/** Keys that all moves of one commit write, so that there is room for the rest. */
const MAX_WRITES = 950;
/** Bytes of all records that one commit moves; the store takes 819,200 with the keys. */
const MAX_BYTES = 500_000;
/** What a record takes beside its texts, in bytes. */
const RECORD_BYTES = 1500;

/** A move, or the next part of one. */
export interface Moving {
  /** The message that is moved; it goes last, so that the same request finishes a move that was cut off. */
  readonly message: MessageRecord;
  readonly place: ChannelPlace;
  readonly user: UserRecord;
  readonly change: MessageChange;
  /** Messages that may have to move along, ascending. */
  readonly companions: readonly number[];
  /** What else the last commit writes. */
  readonly load: { readonly writes: number; readonly bytes: number };
}

/** What one commit moves. */
export interface MovePart {
  readonly from: TopicPlace;
  readonly to: TopicPlace;
  /** Where the topic's name stays, each message keeps its own way of writing it: nobody is told of another. */
  readonly isRenamed: boolean;
  /** Messages that move along, as they were. */
  readonly messages: readonly MessageRecord[];
  /** Messages that are still to be moved, before the one that the move is about; null where it goes now. */
  readonly rest: readonly number[] | null;
}

/**
 * Chooses what the next commit moves, and sees that it may.
 * @throws AppError BAD_REQUEST.
 */
export async function planMove(tx: Tx, permissions: PermissionContext, moving: Moving): Promise<MovePart> {
  const { message, place: { channel }, user, change } = moving;
  const from = { channelId: channel.id, topic: message.topic };
  await holdTopic(tx, permissions.realm.id, from);
  const { messages, rest } = await takeCompanions(tx, permissions.realm.id, { moving, from });
  const sent_at = Math.min(message.sent_at, ...messages.map((each) => each.sent_at));
  requireMayMove(permissions, { message: { ...message, sent_at }, channel, user }, change);
  const target = await accessTarget(tx, permissions, moving);
  const to = { channelId: target.id, topic: change.topic ?? message.topic };
  const known = await enterTopic(tx, permissions, { channel: target, topic: to.topic, user });
  if (known !== null && !isSameTopic(from, to)) await holdTopic(tx, permissions.realm.id, to);
  const isRenamed = change.topic !== null;
  return { from, to, isRenamed, messages, rest };
}

/** The channel that messages are moved to; it must be one that the caller may read and write in. */
async function accessTarget(
  tx: Tx,
  permissions: PermissionContext,
  { place, user, change }: Moving,
): Promise<ChannelRecord> {
  if (change.channelId === null) return place.channel;
  const target = await readChannelPlace(tx, permissions, { channelId: change.channelId, user });
  if (target === null) throw invalidChannel();
  if (!may(permissions, { channel: target.channel, user }, "can_send_message_group")) {
    throw new AppError("BAD_REQUEST", `Not authorized to send to channel '${target.channel.name}'`);
  }
  return target.channel;
}

async function takeCompanions(
  tx: Tx,
  realmId: number,
  { moving, from }: { moving: Moving; from: TopicPlace },
): Promise<Pick<MovePart, "messages" | "rest">> {
  const { companions, load, place, change, message } = moving;
  const lastRoom = Math.floor((MAX_WRITES - load.writes) / WRITES_PER_MESSAGE) - 1;
  const isLast = companions.length <= Math.max(0, Math.min(MOVED_AT_ONCE - 1, lastRoom));
  const ids = companions.slice(0, MOVED_AT_ONCE);
  const read = await Promise.all(ids.map((id) => tx.peek<MessageRecord>(messageKeys.message(realmId, id))));
  const messages: MessageRecord[] = [];
  let room = MAX_BYTES - (isLast ? load.bytes + bytesOf(message) : 0);
  for (const [at, each] of read.entries()) {
    if (each === null || !isCompanion(each, { moving, from })) continue;
    if (!place.isSeen(each.id) || !isMoved(change.mode, { editedId: message.id, id: each.id })) continue;
    room -= bytesOf(each);
    // A first one always fits: no record is larger than what the store takes.
    if (room < 0 && messages.length > 0) return { messages, rest: companions.slice(at) };
    if (room < 0 && isLast) return { messages: [each], rest: companions.slice(at + 1) };
    messages.push(each);
  }
  return { messages, rest: isLast ? null : companions.slice(ids.length) };
}

/** What was moved away or deleted meanwhile stays where it is. */
function isCompanion(
  { id, channel_id, topic }: MessageRecord,
  { moving, from }: { moving: Moving; from: TopicPlace },
): boolean {
  return id !== moving.message.id && channel_id !== null &&
    isSameTopic({ channelId: channel_id, topic }, from);
}

function bytesOf({ content, rendered, history_bytes = 0 }: MessageRecord): number {
  return RECORD_BYTES + 2 * (content.length + (rendered?.length ?? 0)) + history_bytes;
}

/** Writes one part of a move: `changed` is the message that the move is about, where it goes now, as it becomes. */
export async function writeMove(
  tx: Tx,
  permissions: PermissionContext,
  { part, user, changed }: {
    part: MovePart;
    user: UserRecord;
    changed: Pick<MovedMessage, "before" | "after" | "edit"> | null;
  },
): Promise<number[]> {
  const { id: realmId } = permissions.realm;
  const { from, to, isRenamed, messages } = part;
  const placeOf = ({ topic }: MessageRecord) => isRenamed ? to : { ...to, topic };
  const all = [
    ...messages.map((before) => ({ before, after: before, edit: {} })),
    ...(changed === null ? [] : [changed]),
  ];
  await Promise.all(all.map((one) => writeOne(tx, permissions, { ...one, to: placeOf(one.before), user })));
  if (!isSameTopic(from, to)) {
    await leaveTopic(tx, realmId, { place: from, count: all.length });
    tx.sum(messageKeys.topicCount(realmId, to.channelId, to.topic), BigInt(all.length));
  } else if (part.rest === null) {
    tx.set(messageKeys.topic(realmId, to.channelId, to.topic), { name: to.topic } satisfies TopicRecord);
  }
  return all.map(({ before }) => before.id);
}

/** A message that goes to another place; `after` has what else becomes of it, `edit` what the history keeps of that. */
interface MovedMessage {
  readonly before: MessageRecord;
  readonly after: MessageRecord;
  readonly edit: Partial<EditRecord>;
  readonly to: TopicPlace;
  readonly user: UserRecord;
}

async function writeOne(tx: Tx, { realm, now }: PermissionContext, one: MovedMessage): Promise<void> {
  const { before, edit, to, user } = one;
  const { id, channel_id } = before;
  const moved = toMoved(one, now);
  leaveForeign(tx, realm.id, before);
  enterForeign(tx, realm.id, moved);
  tx.delete([...messageKeys.ofTopic(realm.id, channel_id ?? 0, before.topic), id]);
  tx.set([...messageKeys.ofTopic(realm.id, to.channelId, to.topic), id], true);
  if (channel_id !== to.channelId) {
    tx.delete([...messageKeys.ofChannel(realm.id, channel_id ?? 0), id]);
    tx.set([...messageKeys.ofChannel(realm.id, to.channelId), id], true);
  }
  await writeHistory(tx, { realmId: realm.id, message: moved }, {
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

/** To resolve a topic is not to move its messages. */
function toMoved({ before, after, to }: MovedMessage, now: number): MessageRecord {
  const { channelId: home } = homeOf(before);
  const { read_channel_id: _, ...rest } = after;
  const isMove = before.channel_id !== to.channelId || !isResolution(before.topic, to.topic);
  return {
    ...rest,
    channel_id: to.channelId,
    topic: to.topic,
    ...(home === to.channelId ? {} : { read_channel_id: home }),
    moved_at: isMove ? now : before.moved_at,
  };
}

/** Writes a changed message with one more entry in its history. */
export async function writeHistory(
  tx: Tx,
  { realmId, message }: { realmId: number; message: MessageRecord },
  edit: EditRecord,
): Promise<void> {
  const key = messageKeys.history(realmId, message.id);
  const before = message.history_bytes === undefined ? [] : await tx.peek<readonly EditRecord[]>(key) ?? [];
  const history = withEdit(before, edit);
  const changed: MessageRecord = { ...message, history_bytes: historyBytes(history) };
  tx.set(key, history);
  tx.set(messageKeys.message(realmId, message.id), changed);
}
