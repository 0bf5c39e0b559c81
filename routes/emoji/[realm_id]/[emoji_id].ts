import { z } from "zod";
import { readPicture } from "@/lib/chat/emoji/read_picture.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { pathNumber, pictureAnswer } from "@/lib/http/pictures.ts";

export const handler = methods({
  GET: endpoint({
    summary: "The picture of an organization's own emoji",
    path: z.object({ realm_id: z.string(), emoji_id: z.string() }),
    success: { status: 200, description: "The picture" },
    refusals: ["NOT_FOUND"],
  }, async ({ app, path }) => {
    const [realmId, id] = [pathNumber(path.realm_id), pathNumber(path.emoji_id)];
    return pictureAnswer(await readPicture(app.chat, realmId, id));
  }),
});
