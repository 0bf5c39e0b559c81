import { realmEmojiSchema } from "@/lib/chat/emoji/schema.ts";
import { listRealmEmoji } from "@/lib/chat/emoji/view.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get the organization's own emoji",
    who: "anyone",
    params: {},
    success: realmEmojiSchema,
  }, async ({ app, realm }) => ({ emoji: await listRealmEmoji(app, realm.id) })),
});
