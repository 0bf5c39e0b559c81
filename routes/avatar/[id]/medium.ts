import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint.ts";
import { drawingResponse, pathNumber } from "@/lib/api/files/pictures.ts";
import { methods } from "@/lib/api/methods.ts";
import { IDENTICON_SIZES, renderIdenticon } from "@/lib/chat/people/users/avatar.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the default avatar of a user in a larger size",
    description: "Drawn from the user id alone; the user need not exist.",
    path: z.object({ id: z.string().meta({ description: "Id of the user." }) }),
    success: { status: 200, description: "The picture, as PNG" },
    refusals: ["NOT_FOUND"],
  }, async ({ path }) => {
    return drawingResponse(await renderIdenticon(pathNumber(path.id), IDENTICON_SIZES.medium));
  }),
});
