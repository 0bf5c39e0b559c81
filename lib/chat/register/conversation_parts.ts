import { z } from "zod";
import { toEntry } from "@/lib/kv/key.ts";
import { readMessage } from "../messages/access.ts";
import { type ConversationRecord, messageKeys } from "../messages/message.ts";
import { part, type RegisterCall } from "./part.ts";

/** Of so many direct messages, the newest, the conversations are given. */
const MAX_LOOKED_AT = 1000;

const conversationsSchema = z.object({
  recent_private_conversations: z.array(z.object({
    max_message_id: z.int(),
    user_ids: z.array(z.int()).meta({
      description: "The others, ascending; none in a conversation with oneself.",
    }),
  })).meta({ description: `Those of the newest ${MAX_LOOKED_AT} direct messages, the latest first.` }),
});

/** The conversations that the caller lately took part in. */
export const recentConversations = part("recent_private_conversations", conversationsSchema, async (call) => {
  const { app, realm, user } = call;
  const newest = await readNewest(call);
  const listed = Array.from(newest, async ([id, max_message_id]) => {
    const conversation = await app.reads.read<ConversationRecord>(
      messageKeys.conversation(realm.id, id),
    );
    const user_ids = conversation?.user_ids.filter((participant) => participant !== user.id) ?? [];
    return { max_message_id, user_ids };
  });
  return { recent_private_conversations: await Promise.all(listed) };
});

/** The newest message of each conversation, the latest first. */
async function readNewest({ app, realm, user }: RegisterCall): Promise<ReadonlyMap<number, number>> {
  const prefix = [...messageKeys.directOf(realm.id, user.id)];
  const options = { reverse: true, limit: MAX_LOOKED_AT, batchSize: 500 };
  const reading: ReturnType<typeof readMessage>[] = [];
  for await (const entry of app.store.kv.list({ prefix }, options)) {
    reading.push(readMessage(app, realm.id, Number(toEntry(entry).key.at(-1))));
  }
  const newest = new Map<number, number>();
  for (const message of await Promise.all(reading)) {
    const id = message?.conversation_id ?? null;
    if (message !== null && id !== null && !newest.has(id)) newest.set(id, message.id);
  }
  return newest;
}
