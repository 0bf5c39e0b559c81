import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { createEmoji, deactivateEmoji } from "@/lib/chat/organization/emoji.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Upload a custom emoji",
    description: "Multipart body with one PNG, GIF, JPEG or WebP picture of at most 5 MiB.",
    access: "human_member",
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
    refusals: ["NOT_FOUND"],
  }, async ({ app, caller, ctx, files }) => {
    await createEmoji(app, caller, { name: ctx.params["emoji_name"] ?? "", files });
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate a custom emoji",
    access: "human_member",
    refusals: [["BAD_REQUEST", 404], "UNAUTHORIZED_PRINCIPAL"],
  }, ({ app, caller, ctx }) => deactivateEmoji(app, caller, ctx.params["emoji_name"] ?? "")),
});
