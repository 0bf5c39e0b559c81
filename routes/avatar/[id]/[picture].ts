import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint.ts";
import { pathNumber, pictureResponse } from "@/lib/api/files/pictures.ts";
import { methods } from "@/lib/api/methods.ts";
import { getPicture } from "@/lib/chat/organization/pictures.ts";

export const handler = methods({
  GET: endpoint(
    {
      summary: "Get an uploaded avatar or organization icon",
      description: "Requires no authentication; the URL cannot be guessed.",
      path: z.object({
        id: z.string().meta({ description: "Id of the organization." }),
        picture: z.string(),
      }),
      success: { status: 200, description: "The picture" },
      refusals: ["NOT_FOUND"],
    },
    async ({ app, path }) => pictureResponse(await getPicture(app.chat, pathNumber(path.id), path.picture)),
  ),
});
