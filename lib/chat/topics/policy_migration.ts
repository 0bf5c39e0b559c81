import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Store } from "@/lib/store/open.ts";
import { userTopicKeys, type UserTopicRecord } from "./model.ts";

/** Policies that are read at once. */
const BATCH = 500;

/** Adds the index of users' policies by topic, from version 15 to 16. */
export async function indexTopicPolicies(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    let count = 0;
    for await (const entry of store.kv.list({ prefix: [realmId, "user_topic"] }, { batchSize: BATCH })) {
      const { key: [, , userId = 0], value } = toEntry<UserTopicRecord>(entry);
      const topic = { channelId: value.channel_id, topic: value.topic_name };
      await writer.set([...userTopicKeys.ofTopic(realmId, topic), userId], value.visibility_policy);
      if (++count % BATCH === 0) await yieldToEventLoop();
    }
  }
  await writer.flush();
}
