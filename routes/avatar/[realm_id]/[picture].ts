import { z } from "zod";
import { openPicture } from "@/lib/chat/emoji/store_picture.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { pathNumber, pictureAnswer } from "@/lib/http/pictures.ts";

export const handler = methods({
  GET: endpoint(
    {
      summary: "An uploaded picture of an account or an organization",
      description: "For everybody who knows its address, which nobody can guess.",
      path: z.object({ realm_id: z.string(), picture: z.string() }),
      success: { status: 200, description: "The picture" },
      refusals: ["NOT_FOUND"],
    },
    async ({ app, path }) =>
      pictureAnswer(await openPicture(app.chat, pathNumber(path.realm_id), path.picture)),
  ),
});
