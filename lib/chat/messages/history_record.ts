import type { ChatApp } from "../app.ts";
import { showTopic } from "./edit_topic.ts";
import { messageKeys } from "./message.ts";

/** One change of a message: only what it changed is there. */
export interface EditRecord {
  readonly user_id: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Whether the content was changed, even where what it was is no longer kept. */
  readonly is_content_edited: boolean;
  /** Markdown. */
  readonly prev_content?: string;
  /** HTML; not kept where it was too large. */
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_channel_id?: number;
  readonly channel_id?: number;
}

/** What the entries of one message take at most in the store, in bytes; the store takes 65,536. */
const MAX_BYTES = 50_000;
/** What an entry takes beside its texts, in bytes. */
const ENTRY_BYTES = 200;

/**
 * A history with one more change, the latest first. Where it would become too large, the oldest rendered texts are
 * forgotten, then the oldest texts, then the oldest changes.
 */
export function withEdit(history: readonly EditRecord[], edit: EditRecord): readonly EditRecord[] {
  const entries = [edit, ...history];
  let excess = historyBytes(entries) - MAX_BYTES;
  const shrink = (at: number, smaller: EditRecord) => {
    excess -= bytesOf(entries[at] ?? smaller) - bytesOf(smaller);
    entries[at] = smaller;
  };
  for (const forget of [withoutRendered, withoutContent]) {
    for (let at = entries.length - 1; at >= 0 && excess > 0; at--) {
      const entry = entries[at];
      if (entry !== undefined) shrink(at, forget(entry));
    }
  }
  for (; excess > 0 && entries.length > 1;) excess -= bytesOf(entries.pop() ?? edit);
  return entries;
}

/** What a history takes in the store, in bytes at most. */
export function historyBytes(history: readonly EditRecord[]): number {
  return history.reduce((sum, entry) => sum + bytesOf(entry), 0);
}

/** UTF-16 units are two bytes each, where any of them is beyond Latin-1. */
function bytesOf({ prev_content = "", prev_rendered_content = "", prev_topic = "", topic = "" }: EditRecord) {
  const units = prev_content.length + prev_rendered_content.length + prev_topic.length + topic.length;
  return ENTRY_BYTES + 2 * units;
}

function withoutRendered({ prev_rendered_content: _, ...rest }: EditRecord): EditRecord {
  return rest;
}

function withoutContent({ prev_content: _, prev_rendered_content: __, ...rest }: EditRecord): EditRecord {
  return rest;
}

/** What was changed of a message, the latest first. */
export async function readHistory(app: ChatApp, realmId: number, id: number): Promise<readonly EditRecord[]> {
  return await app.reads.read<readonly EditRecord[]>(messageKeys.history(realmId, id)) ?? [];
}

/** A history as it stands at a message, the latest change first. */
export function toEditHistory(history: readonly EditRecord[], knowsEmptyTopic: boolean) {
  return history.map((entry) => ({
    user_id: entry.user_id,
    timestamp: Math.floor(entry.at / 1000),
    ...(entry.prev_content === undefined ? {} : { prev_content: entry.prev_content }),
    ...(entry.prev_rendered_content === undefined
      ? {}
      : { prev_rendered_content: entry.prev_rendered_content }),
    ...toPlaceChange(entry, knowsEmptyTopic),
  }));
}

/** What a change did to the topic and the channel, as the API shows it. */
export function toPlaceChange(entry: EditRecord, knowsEmptyTopic: boolean) {
  const { prev_topic, topic, prev_channel_id, channel_id } = entry;
  return {
    ...(prev_topic === undefined || topic === undefined ? {} : {
      prev_topic: showTopic(prev_topic, knowsEmptyTopic),
      topic: showTopic(topic, knowsEmptyTopic),
    }),
    ...(prev_channel_id === undefined || channel_id === undefined
      ? {}
      : { prev_stream: prev_channel_id, stream: channel_id }),
  };
}
