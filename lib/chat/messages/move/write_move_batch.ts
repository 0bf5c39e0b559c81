import type { PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { isResolutionChange, isSameTopic, type TopicLocation } from "@/lib/chat/topics/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { EditRecord } from "../edit/model.ts";
import { writeEditedMessage } from "../edit/store.ts";
import { messageKeys, type MessageRecord, type TopicRecord } from "../model.ts";
import { openTopic } from "../send/open_recipient.ts";
import type { MoveBatch } from "./plan_move_batch.ts";
import { listTopicWords } from "../word_index/model.ts";
import { recordWordChange } from "../word_index/store.ts";
import { decrementTopicCount, deleteMoveMarkers, toOriginalTopic, writeMoveMarkers } from "./store.ts";

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
  // A commit that has room for policies only creates no topic without messages.
  if (all.length === 0) return [];
  await openTopic(tx, permissions, { channel: batch.target.channel, topic: to.topic, user });
  await Promise.all(
    all.map((one) => writeMovedMessage(tx, permissions, { ...one, to: targetOf(one.before), user })),
  );
  tx.sum(messageKeys.moveVersion(realmId), 1n);
  if (!isSameTopic(from, to)) {
    await decrementTopicCount(tx, realmId, { location: from, count: all.length });
    tx.sum(messageKeys.topicCount(realmId, to.channelId, to.topic), BigInt(all.length));
  } else if (batch.remaining === null) {
    tx.set(messageKeys.topic(realmId, to.channelId, to.topic), { name: to.topic } satisfies TopicRecord);
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
  writeMoveMarkers(tx, realm.id, moved);
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
