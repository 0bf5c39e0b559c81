import type { ChatApp } from "@/lib/chat/app.ts";
import { toAppOfRequest } from "@/lib/chat/app_of_request.ts";
import type { EditRecord } from "@/lib/chat/messages/edit/model.ts";
import { readEditHistory } from "@/lib/chat/messages/edit/store.ts";
import { messageKeys, type MessageRecord, type VisibleMessage } from "@/lib/chat/messages/model.ts";
import {
  type Reaction,
  reactionsPrefix,
  type ReactionsRecord,
  toReactions,
} from "@/lib/chat/messages/reactions/model.ts";
import { cacheReads } from "@/lib/chat/messages/read/cache_reads.ts";
import { readRenderedContent } from "@/lib/chat/messages/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { readSubmessages } from "@/lib/chat/submessages/model.ts";
import { toEntry } from "@/lib/store/key.ts";
import { createRowsReader } from "@/lib/chat/messages/read/store/rows_reader.ts";
import { type ExportScope, toIncludedMessage } from "./export_scope.ts";

/** Number of messages that are read together; each may be large. */
const BATCH = 20;

/**
 * Yields the included messages in the order of their ids, each as JSON, and adds the ids of the uploads that they
 * link to `uploadIds`.
 */
export async function* listMessageRows(
  app: ChatApp,
  scope: ExportScope,
  uploadIds: Set<number>,
): AsyncGenerator<string> {
  const prefix = messageKeys.messages(scope.realm.id);
  const range = { prefix: [...prefix], end: [...prefix, scope.lastMessageId + 1] };
  let batch: MessageRecord[] = [];
  for await (const entry of app.store.kv.list(range, { batchSize: BATCH })) {
    if (batch.push(toEntry<MessageRecord>(entry).value) < BATCH) continue;
    yield* toRows(app, scope, { messages: batch, uploadIds });
    batch = [];
  }
  yield* toRows(app, scope, { messages: batch, uploadIds });
}

async function* toRows(
  uncachedApp: ChatApp,
  scope: ExportScope,
  { messages, uploadIds }: { messages: readonly MessageRecord[]; uploadIds: Set<number> },
): AsyncGenerator<string> {
  // A cache for each batch keeps little in memory, and notices what has become private meanwhile.
  await uncachedApp.readOrganization(scope.realm.id);
  const app = cacheReads(toAppOfRequest(uncachedApp, scope.realm.id));
  const permissions = await peekPermissionContext(app, scope.realm);
  const found = await Promise.all(
    messages.map((message) => toIncludedMessage(app, permissions, { scope, message })),
  );
  const included = found.filter((visible) => visible !== null);
  if (included.length === 0) return;
  const ids = included.map(({ message }) => message.id);
  const readRows = createRowsReader(app.store, app.reads);
  const reactions = await readRows<ReactionsRecord>(reactionsPrefix(scope.realm.id), ids);
  const rows = await Promise.all(
    included.map((visible) =>
      toRow(app, scope, { visible, reactions: toReactions(reactions.get(visible.message.id) ?? null) })
    ),
  );
  for (const row of rows) {
    for (const id of row.upload_ids) uploadIds.add(id);
    yield JSON.stringify(row);
  }
}

async function toRow(
  app: ChatApp,
  scope: ExportScope,
  { visible: { message, channel, conversation }, reactions }: {
    visible: VisibleMessage;
    reactions: readonly Reaction[];
  },
) {
  const { realm } = scope;
  const { id, sender_id, topic, sent_at, edited_at, moved_at, content, client, is_me_message } = message;
  const [rendered_content, submessages, history] = await Promise.all([
    readRenderedContent(app, realm.id, message),
    readSubmessages(app, realm.id, message),
    message.history_bytes === undefined ? [] : readEditHistory(app, realm.id, id),
  ]);
  return {
    id,
    ...(channel === null
      ? { type: "direct", recipient_ids: conversation?.user_ids ?? [] }
      : { type: "channel", channel_id: channel.id, topic }),
    sender_id,
    timestamp: toSeconds(sent_at),
    content,
    rendered_content,
    client,
    is_me_message,
    last_edit_timestamp: edited_at === null ? null : toSeconds(edited_at),
    last_moved_timestamp: moved_at === null ? null : toSeconds(moved_at),
    edit_history: history.map((edit) => toEdit(scope, edit)),
    reactions,
    submessages: submessages.map(({ sender_id, content }) => ({ sender_id, content })),
    upload_ids: message.upload_ids ?? [],
  };
}

/** Returns a change of a message; a channel that the export does not include is not named. */
function toEdit({ channels }: ExportScope, { user_id, at, ...edit }: EditRecord) {
  const { prev_content, prev_rendered_content, prev_topic, topic, prev_channel_id, channel_id } = edit;
  const isNamed = [prev_channel_id, channel_id].every((id) => id === undefined || channels.has(id));
  return {
    user_id,
    timestamp: toSeconds(at),
    prev_content,
    prev_rendered_content,
    ...(isNamed ? { prev_topic, topic, prev_channel_id, channel_id } : {}),
  };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
