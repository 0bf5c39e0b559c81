import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint.ts";
import { drawingAnswer, pathNumber } from "@/lib/api/files/pictures.ts";
import { methods } from "@/lib/api/methods.ts";
import { renderIdenticon } from "@/lib/chat/users/render_identicon.ts";

export const handler = methods({
  GET: endpoint({
    summary: "Get the default avatar of a user",
    description: "Drawn from the user id alone; the user need not exist.",
    path: z.object({ user_id: z.string() }),
    success: { status: 200, description: "The picture, as SVG" },
    refusals: ["NOT_FOUND"],
  }, ({ path }) => Promise.resolve(drawingAnswer(renderIdenticon(pathNumber(path.user_id))))),
});
