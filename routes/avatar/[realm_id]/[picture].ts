import { z } from "zod";
import { openPicture } from "@/lib/chat/emoji/store_picture.ts";
import { AppError } from "@/lib/core/errors.ts";
import { Answer } from "@/lib/http/answer.ts";
import { endpoint } from "@/lib/http/endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

/** A picture never changes, and must never run as anything else. */
const HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

export const handler = methods({
  GET: endpoint({
    summary: "An uploaded picture of an account or an organization",
    description: "For everybody who knows its address, which nobody can guess.",
    path: z.object({ realm_id: z.string(), picture: z.string() }),
    success: { status: 200, description: "The picture" },
    refusals: ["NOT_FOUND"],
  }, async ({ app, path }) => {
    if (!/^\d{1,15}$/.test(path.realm_id)) throw new AppError("NOT_FOUND", "Nothing is here.");
    const picture = await openPicture(app.chat, Number(path.realm_id), path.picture);
    return new Answer(200, picture.content, {
      ...HEADERS,
      "content-type": picture.contentType,
      "content-length": String(picture.size),
    });
  }),
});
