import { type Key, toValue } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";

/** What many messages of one answer have in common. What each has of its own is not kept: a search reads very many. */
const SHARED: readonly unknown[] = [
  "channel",
  "subscription",
  "conversation",
  "user",
  "unread",
  "read",
  "read_direct",
  "read_all",
  "read_channel",
];

/**
 * The same app for one request: channels, subscriptions, conversations, people and what the reader has read are read
 * once, however many messages ask for them, so that all of an answer is decided on the same of them.
 */
export function rememberReads(app: ChatApp): ChatApp {
  const known = new Map<string, Promise<unknown>>();
  const read = async <T>(key: Key): Promise<T | null> => {
    if (!SHARED.includes(key[1])) return await app.reads.read<T>(key);
    const name = nameOf(key);
    const reading = known.get(name) ?? app.reads.read<T>(key);
    known.set(name, reading);
    return toValue<T | null>(await reading);
  };
  return { ...app, reads: { read } };
}

/** Different for different keys: a text says how long it is, so that none looks like two. */
function nameOf(key: Key): string {
  return key.map((part) => typeof part === "string" ? `${part.length}:${part}` : String(part)).join(" ");
}
