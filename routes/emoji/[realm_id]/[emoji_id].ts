import { z } from "zod";
import { readPicture } from "@/lib/chat/emoji/read_picture.ts";
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
    summary: "The picture of an organization's own emoji",
    path: z.object({ realm_id: z.string(), emoji_id: z.string() }),
    success: { status: 200, description: "The picture" },
    refusals: ["NOT_FOUND"],
  }, async ({ app, path }) => {
    const [realmId, id] = [path.realm_id, path.emoji_id];
    if (!/^\d{1,15}$/.test(realmId) || !/^\d{1,15}$/.test(id)) {
      throw new AppError("NOT_FOUND", "Nothing is here.");
    }
    const { contentType, size, content } = await readPicture(app.chat, Number(realmId), Number(id));
    return new Answer(200, content, {
      ...HEADERS,
      "content-type": contentType,
      "content-length": String(size),
    });
  }),
});
