import { keyName } from "@/lib/store/key.ts";
import { z } from "zod";
import type { Tx } from "@/lib/store/transact.ts";
import { ResponseBytes } from "@/lib/core/response_bytes.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import type { ChatApp } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { RealmRecord } from "../organization/organizations/model.ts";
import type { UserRecord } from "../organization/users/model.ts";
import { diffHtml } from "../organization/rendering/diff_html.ts";
import { toDisplayTopic } from "../channels/topics/model.ts";
import { messageKeys, type MessageRecord } from "./model.ts";
import { countMessageChange, readMessagesVersion, readRenderedContent } from "./store.ts";
import { getVisibleMessage } from "./access.ts";
import { bool, described, withDefault } from "../organization/params/param.ts";

/** One change of a message; fields that did not change are absent. */
export interface EditRecord {
  readonly user_id: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Whether the content changed, even when the previous content was dropped from the history. */
  readonly is_content_edited: boolean;
  /** Markdown. */
  readonly prev_content?: string;
  /** HTML; absent when it was too large. */
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_channel_id?: number;
  readonly channel_id?: number;
}

/** Maximum stored size of one message's history, in bytes; a store value holds 65,536. */
const MAX_BYTES = 50_000;

/** Size of an entry without its texts, in bytes. */
const ENTRY_BYTES = 200;

/**
 * Adds a change to a history, newest first. When the result is too large, the oldest HTML is dropped first,
 * then the oldest contents, then the oldest entries.
 */
function prependEdit(history: readonly EditRecord[], edit: EditRecord): readonly EditRecord[] {
  const entries = [edit, ...history];
  let excess = countHistoryBytes(entries) - MAX_BYTES;
  const shrink = (at: number, smaller: EditRecord) => {
    excess -= countEntryBytes(entries[at] ?? smaller) - countEntryBytes(smaller);
    entries[at] = smaller;
  };
  const withoutRendered = ({ prev_rendered_content: _, ...rest }: EditRecord): EditRecord => rest;
  const withoutTexts = ({ prev_content: _, prev_rendered_content: __, ...rest }: EditRecord): EditRecord =>
    rest;
  for (const strip of [withoutRendered, withoutTexts]) {
    for (let at = entries.length - 1; at >= 0 && excess > 0; at--) {
      const entry = entries[at];
      if (entry !== undefined) shrink(at, strip(entry));
    }
  }
  for (; excess > 0 && entries.length > 1;) excess -= countEntryBytes(entries.pop() ?? edit);
  return entries;
}

/** Returns an upper bound of the stored size of a history, in bytes. */
function countHistoryBytes(history: readonly EditRecord[]): number {
  return history.reduce((sum, entry) => sum + countEntryBytes(entry), 0);
}

/** Returns an upper bound of the stored size of an entry; a UTF-16 unit takes up to two bytes. */
function countEntryBytes(
  { prev_content = "", prev_rendered_content = "", prev_topic = "", topic = "" }: EditRecord,
) {
  const units = prev_content.length + prev_rendered_content.length + prev_topic.length + topic.length;
  return ENTRY_BYTES + 2 * units;
}

export const historyParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

/** Converts an edit history for the message object, newest first. */
export function toEditHistory(history: readonly EditRecord[], allowsEmptyTopic: boolean) {
  return history.map((entry) => ({
    user_id: entry.user_id,
    timestamp: Math.floor(entry.at / 1000),
    ...(entry.prev_content === undefined ? {} : { prev_content: entry.prev_content }),
    ...(entry.prev_rendered_content === undefined
      ? {}
      : { prev_rendered_content: entry.prev_rendered_content }),
    ...toMoveFields(entry, allowsEmptyTopic),
  }));
}

/** Converts the topic and channel change of an edit; empty when nothing moved. */
function toMoveFields(entry: EditRecord, allowsEmptyTopic: boolean) {
  const { prev_topic, topic, prev_channel_id, channel_id } = entry;
  return {
    ...(prev_topic === undefined || topic === undefined ? {} : {
      prev_topic: toDisplayTopic(prev_topic, allowsEmptyTopic),
      topic: toDisplayTopic(topic, allowsEmptyTopic),
    }),
    ...(prev_channel_id === undefined || channel_id === undefined
      ? {}
      : { prev_stream: prev_channel_id, stream: channel_id }),
  };
}

export const messageHistorySchema = z.object({
  message_history: z.array(z.object({
    topic: z.string(),
    content: z.string(),
    rendered_content: z.string(),
    prev_topic: z.string().optional(),
    stream: z.int().optional(),
    prev_stream: z.int().optional(),
    prev_content: z.string().optional(),
    prev_rendered_content: z.string().optional(),
    content_html_diff: z.string().optional().meta({
      description:
        "`rendered_content` in which the words are marked that the edit inserted and deleted, by the " +
        "classes `highlight_text_inserted` and `highlight_text_deleted`; missing when a version was too large to " +
        "keep.",
    }),
    user_id: z.int().nullable(),
    timestamp: z.int(),
  })).meta({ description: "Versions of the message, oldest first." }),
});

/** Reads the edit history of a message, newest first. */
export async function readEditHistory(
  app: ChatApp,
  realmId: number,
  id: number,
): Promise<readonly EditRecord[]> {
  // Histories change with their messages only.
  const { changes } = await readMessagesVersion(app, realmId);
  const key = messageKeys.history(realmId, id);
  const known = app.cache.find<readonly EditRecord[]>(keyName(key), changes);
  if (known !== undefined) return known;
  const history = await app.reads.read<readonly EditRecord[]>(key) ?? [];
  app.cache.keep(keyName(key), changes, history, countHistoryBytes(history));
  return history;
}

/** Writes a changed message and adds the change to its history. */
export async function writeEditedMessage(
  tx: Tx,
  { realmId, message }: { realmId: number; message: MessageRecord },
  edit: EditRecord,
): Promise<void> {
  const key = messageKeys.history(realmId, message.id);
  const before = message.history_bytes === undefined ? [] : await tx.peek<readonly EditRecord[]>(key) ?? [];
  const history = prependEdit(before, edit);
  const changed: MessageRecord = { ...message, history_bytes: countHistoryBytes(history) };
  tx.set(key, history);
  tx.set(messageKeys.message(realmId, message.id), changed);
  countMessageChange(tx, realmId);
}

/** Maximum number of words and tags in which two versions are compared, and in all of one response. */
const MAX_EDITS = { version: 400, response: 2000 } as const;

/**
 * Reads all versions of a message, oldest first. Contents that the history dropped are empty, like those of
 * older versions beyond MAX_RESPONSE_BYTES.
 * @throws AppError BAD_REQUEST for a message that the viewer cannot see.
 */
export async function readMessageHistory(
  app: ChatApp,
  { realm, viewer, id }: { realm: RealmRecord; viewer: UserRecord; id: number },
  { allow_empty_topic_name: allowsEmptyTopic }: { allow_empty_topic_name: boolean },
): Promise<z.infer<typeof messageHistorySchema>> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const { message } = await getVisibleMessage(app, permissions, { id, user: viewer });
  const history = message.history_bytes === undefined ? [] : await readEditHistory(app, realm.id, id);
  let content = message.content;
  let rendered_content = await readRenderedContent(app, realm.id, message);
  let topic = message.topic;
  const snapshot = (user_id: number, at: number) => ({
    topic: message.channel_id === null ? "" : toDisplayTopic(topic, allowsEmptyTopic),
    content,
    rendered_content,
    user_id,
    timestamp: Math.floor(at / 1000),
  });
  const snapshots: z.infer<typeof messageHistorySchema>["message_history"] = [];
  const bytes = new ResponseBytes();
  const work = { edits: MAX_EDITS.response };
  for (const entry of history) {
    const { prev_content = "", prev_rendered_content = "", is_content_edited } = entry;
    const before = is_content_edited ? { prev_content, prev_rendered_content } : {};
    const version = {
      ...snapshot(entry.user_id, entry.at),
      ...before,
      ...await compareHtml(entry, rendered_content, work),
      ...toMoveFields(entry, allowsEmptyTopic),
    };
    await bytes.add(version);
    const { content_html_diff: _, ...withoutDiff } = version;
    snapshots.push(bytes.isExceeded ? { ...withoutDiff, content: "", rendered_content: "" } : version);
    if (is_content_edited) [content, rendered_content] = [prev_content, prev_rendered_content];
    topic = entry.prev_topic ?? topic;
  }
  snapshots.push(snapshot(message.sender_id, message.sent_at));
  return { message_history: snapshots.reverse() };
}

/** Returns the comparison of a version with the one before; none where the store dropped one of them. */
async function compareHtml(
  { prev_rendered_content: before }: EditRecord,
  after: string,
  work: { edits: number },
): Promise<{ content_html_diff?: string }> {
  if (before === undefined || after === "") return {};
  const { html, edits } = diffHtml(before, after, Math.min(MAX_EDITS.version, work.edits));
  work.edits -= edits;
  await yieldToEventLoop();
  return { content_html_diff: html };
}
