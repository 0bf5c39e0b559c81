import { changeAvatar, removeAvatar } from "@/lib/chat/accounts/avatar.ts";
import { avatarSchema } from "@/lib/chat/accounts/schema.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/emoji/store_picture.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Change your own picture",
    description: "A multipart body with one PNG, GIF, JPEG or WebP picture of 5 MiB at most.",
    who: "anyone",
    params: {},
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
    success: avatarSchema,
  }, async ({ app, realm, user, files }) => await changeAvatar(app, { realm, actingUser: user }, files)),
  DELETE: apiEndpoint({
    summary: "Remove your own picture",
    description: "The one that is drawn from your number takes its place.",
    who: "anyone",
    params: {},
    success: avatarSchema,
  }, async ({ app, realm, user }) => await removeAvatar(app, { realm, actingUser: user })),
});
