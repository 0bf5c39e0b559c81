import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { listRealmEmoji, realmEmojiSchema } from "@/lib/chat/organization/emoji.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List custom emoji",
    access: "anyone",
    success: realmEmojiSchema,
  }, async ({ app, realm }) => ({ emoji: await listRealmEmoji(app, realm.id) })),
});
