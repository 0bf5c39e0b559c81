import { z } from "zod";
import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { emojiKeys, type RealmEmojiRecord, toRealmEmoji } from "./model.ts";

/** Response of listing custom emoji. */
export const realmEmojiSchema = z.object({
  emoji: z.record(
    z.string(),
    z.object({
      id: z.string(),
      name: z.string(),
      source_url: z.string().meta({
        description: "Path of the picture, relative to the organization's URL.",
      }),
      still_url: z.string().nullable().meta({
        description: "Path of a picture that is not animated; null if the emoji itself is not.",
      }),
      deactivated: z.boolean(),
      author_id: z.int(),
    }),
  ),
});

/** Lists all custom emoji of an organization by id, active and deactivated. */
export async function listRealmEmoji({ store }: ChatApp, realmId: number) {
  const emoji: Record<string, ReturnType<typeof toRealmEmoji>> = {};
  const entries = store.kv.list({ prefix: [...emojiKeys.all(realmId)] }, { batchSize: 500 });
  for await (const entry of entries) {
    const { value } = toEntry<RealmEmojiRecord>(entry);
    emoji[value.id] = toRealmEmoji(realmId, value);
  }
  return emoji;
}
