import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { listRealmEmoji, realmEmojiSchema } from "@/lib/chat/organization/emoji.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List custom emoji",
    access: "anyone",
    params: {},
    success: realmEmojiSchema,
  }, async ({ app, realm }) => ({ emoji: await listRealmEmoji(app, realm.id) })),
});
