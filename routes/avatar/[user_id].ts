import { z } from "zod";
import { identicon } from "@/lib/chat/users/identicon.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";
import { drawingAnswer, pathNumber } from "@/lib/http/pictures.ts";

export const handler = methods({
  GET: endpoint({
    summary: "A picture for an account that uploaded none",
    description: "Drawn from the number alone, whether or not there is such an account.",
    path: z.object({ user_id: z.string() }),
    success: { status: 200, description: "The picture, as SVG" },
    refusals: ["NOT_FOUND"],
  }, ({ path }) => Promise.resolve(drawingAnswer(identicon(pathNumber(path.user_id))))),
});
