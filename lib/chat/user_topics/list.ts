import { type Entry, toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { userTopicKeys, type UserTopicRecord } from "../messages/user_topic.ts";

/** What an account wants of topics, by channel and topic; at most `limit` of them. */
export async function listUserTopics(
  { store }: Pick<ChatApp, "store">,
  { realmId, userId, limit }: { realmId: number; userId: number; limit?: number },
): Promise<Entry<UserTopicRecord>[]> {
  const entries: Entry<UserTopicRecord>[] = [];
  const options = { batchSize: 500, ...(limit === undefined ? {} : { limit }) };
  const listing = store.kv.list({ prefix: [...userTopicKeys.topics(realmId, userId)] }, options);
  for await (const entry of listing) entries.push(toEntry<UserTopicRecord>(entry));
  return entries;
}
