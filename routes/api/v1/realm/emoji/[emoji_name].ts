import { addEmoji } from "@/lib/chat/emoji/add_emoji.ts";
import { deactivateEmoji } from "@/lib/chat/emoji/deactivate_emoji.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/emoji/store_picture.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Add a picture as an emoji",
    description: "A multipart body with one PNG, GIF, JPEG or WebP picture of 5 MiB at most.",
    who: "human_member",
    params: {},
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
  }, async ({ app, realm, user, ctx, files }) => {
    await addEmoji(app, { realm, actingUser: user }, { name: ctx.params["emoji_name"] ?? "", files });
  }),
  DELETE: apiEndpoint({
    summary: "Take an emoji of the organization out of use",
    who: "human_member",
    params: {},
  }, async ({ app, realm, user, ctx }) => {
    await deactivateEmoji(app, { realm, actingUser: user }, ctx.params["emoji_name"] ?? "");
  }),
});
