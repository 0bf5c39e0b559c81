import { z } from "zod";
import { identicon } from "@/lib/chat/users/identicon.ts";
import { AppError } from "@/lib/core/errors.ts";
import { Answer } from "@/lib/http/answer.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

/** The picture never changes: a number has one for ever. */
const HEADERS = { "content-type": "image/svg+xml", "cache-control": "public, max-age=31536000, immutable" };

export const handler = methods({
  GET: endpoint({
    summary: "A picture for an account that uploaded none",
    description: "Drawn from the number alone, whether or not there is such an account.",
    path: z.object({ user_id: z.string() }),
    success: { status: 200, description: "The picture, as SVG" },
    refusals: ["NOT_FOUND"],
  }, ({ path }) => {
    if (!/^\d{1,15}$/.test(path.user_id)) throw new AppError("NOT_FOUND", "Nothing is here.");
    return Promise.resolve(new Answer(200, identicon(Number(path.user_id)), HEADERS));
  }),
});
