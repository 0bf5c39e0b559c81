import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint.ts";
import { pathNumber, pictureResponse } from "@/lib/api/files/pictures.ts";
import { methods } from "@/lib/api/methods.ts";
import { getEmojiPicture } from "@/lib/chat/organization/emoji.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the picture of a custom emoji",
    path: z.object({
      realm_id: z.string(),
      emoji_id: z.string().meta({ description: "Id, followed by `-still.png` for `still_url`." }),
    }),
    success: { status: 200, description: "The picture" },
    refusals: ["NOT_FOUND"],
  }, async ({ app, path }) => {
    return pictureResponse(await getEmojiPicture(app.chat, pathNumber(path.realm_id), path.emoji_id));
  }),
});
