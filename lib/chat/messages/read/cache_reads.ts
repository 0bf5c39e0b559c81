import { type Key, keyName, toValue } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/app.ts";

/**
 * Kinds of records that many messages of one response share. Records of single messages are not cached: a
 * search reads very many.
 */
const CACHED_KINDS: ReadonlySet<unknown> = new Set([
  "conversation",
  "unread",
  "read",
  "read_direct",
  "read_all",
  "read_channel",
  "read_version",
  "alert_words",
  "muted_users",
  "message_changes",
]);

/** First part of the keys of counters of ids. */
const SEQUENCES = "seq";

/**
 * Returns the app with a read cache for one request: conversations and read state are read once, so the whole
 * response is based on the same versions.
 */
export function cacheReads(app: ChatApp): ChatApp {
  const known = new Map<string, Promise<unknown>>();
  const read = <T>(key: Key): Promise<T | null> => {
    if (!CACHED_KINDS.has(key[1]) && key[0] !== SEQUENCES) return app.reads.read<T>(key);
    const name = keyName(key);
    let reading = known.get(name);
    if (reading === undefined) known.set(name, reading = app.reads.read<T>(key));
    return toValue<Promise<T | null>>(reading);
  };
  return { ...app, reads: { read } };
}
