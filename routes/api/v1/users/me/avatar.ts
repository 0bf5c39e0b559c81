import { changeAvatar, removeAvatar } from "@/lib/chat/people/users/avatar.ts";
import { avatarSchema } from "@/lib/chat/people/users/api.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Upload your avatar",
    description: "Expects a multipart body with one PNG, GIF, JPEG or WebP picture of at most 5 MiB.",
    access: "anyone",
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
    success: avatarSchema,
    refusals: ["NOT_FOUND"],
  }, async ({ app, caller, files }) => await changeAvatar(app, caller, files)),
  DELETE: apiEndpoint({
    summary: "Delete your avatar",
    description: "A generated avatar replaces it.",
    access: "anyone",
    success: avatarSchema,
  }, async ({ app, caller }) => await removeAvatar(app, caller)),
});
