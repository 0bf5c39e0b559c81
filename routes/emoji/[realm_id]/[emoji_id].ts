import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint.ts";
import { pathNumber, pictureAnswer } from "@/lib/api/files/pictures.ts";
import { methods } from "@/lib/api/methods.ts";
import { getEmojiPicture } from "@/lib/chat/emoji/store.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the picture of a custom emoji",
    path: z.object({ realm_id: z.string(), emoji_id: z.string() }),
    success: { status: 200, description: "The picture" },
    refusals: ["NOT_FOUND"],
  }, async ({ app, path }) => {
    const [realmId, id] = [pathNumber(path.realm_id), pathNumber(path.emoji_id)];
    return pictureAnswer(await getEmojiPicture(app.chat, realmId, id));
  }),
});
