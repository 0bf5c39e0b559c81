import { z } from "zod";
import { toEntry } from "@/lib/kv/key.ts";
import { look, readMessage } from "../messages/access.ts";
import { messageKeys } from "../messages/message.ts";
import { rememberReads } from "../messages/request_memory.ts";
import { part, type RegisterCall } from "./part.ts";

/** How many messages are read at the same time. */
const SIDE_BY_SIDE = 100;

const starredSchema = z.object({
  starred_messages: z.array(z.int()).meta({
    description: "Ids, ascending; what one may not see is left out.",
  }),
});

/** The messages that the caller put a star on. */
export const starredMessages = part("starred_messages", starredSchema, async (call) => {
  const ids = await listStarred(call);
  const starred_messages: number[] = [];
  const app = rememberReads(call.app);
  for (let at = 0; at < ids.length; at += SIDE_BY_SIDE) {
    const some = ids.slice(at, at + SIDE_BY_SIDE);
    const isSeen = await Promise.all(some.map((id) => maySee({ ...call, app }, id)));
    starred_messages.push(...some.filter((_, index) => isSeen[index]));
  }
  return { starred_messages };
});

async function listStarred({ app, realm, user }: RegisterCall): Promise<number[]> {
  const prefix = [...messageKeys.starred(realm.id, user.id)];
  const ids: number[] = [];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 500 })) {
    ids.push(Number(toEntry(entry).key.at(-1)));
  }
  return ids;
}

async function maySee({ app, permissions, user }: RegisterCall, id: number): Promise<boolean> {
  const message = await readMessage(app, permissions.realm.id, id);
  return message !== null && await look(app, permissions, { message, user }) !== null;
}
