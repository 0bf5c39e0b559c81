import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import { accessMessage } from "./access.ts";
import { showTopic } from "./edit_topic.ts";
import { readHistory, toPlaceChange } from "./history_record.ts";
import { readRendered } from "./view.ts";

/** A message as it was at one time. */
interface Snapshot {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly user_id: number;
  readonly timestamp: number;
}

/**
 * A message as it was sent and after each of its changes, the oldest first. Texts that are no longer kept are empty.
 * @throws AppError BAD_REQUEST for a message that the viewer may not see.
 */
export async function readMessageHistory(
  app: ChatApp,
  { realm, viewer, id }: { realm: RealmRecord; viewer: UserRecord; id: number },
  { allow_empty_topic_name: knowsEmptyTopic }: { allow_empty_topic_name: boolean },
): Promise<{ message_history: readonly Snapshot[] }> {
  const { message } = await accessMessage(app, await peekPermissionContext(app, realm), { id, user: viewer });
  const history = message.history_bytes === undefined ? [] : await readHistory(app, realm.id, id);
  let content = message.content;
  let rendered_content = await readRendered(app, realm.id, message);
  let topic = message.topic;
  const snapshot = (user_id: number, at: number) => ({
    topic: message.channel_id === null ? "" : showTopic(topic, knowsEmptyTopic),
    content,
    rendered_content,
    user_id,
    timestamp: Math.floor(at / 1000),
  });
  const snapshots: Snapshot[] = [];
  for (const entry of history) {
    const { prev_content = "", prev_rendered_content = "", is_content_edited } = entry;
    const before = is_content_edited ? { prev_content, prev_rendered_content } : {};
    snapshots.push({
      ...snapshot(entry.user_id, entry.at),
      ...before,
      ...toPlaceChange(entry, knowsEmptyTopic),
    });
    if (is_content_edited) [content, rendered_content] = [prev_content, prev_rendered_content];
    topic = entry.prev_topic ?? topic;
  }
  snapshots.push(snapshot(message.sender_id, message.sent_at));
  return { message_history: snapshots.reverse() };
}
