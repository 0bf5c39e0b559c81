import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/emoji/store_picture.ts";
import { changeIcon, removeIcon } from "@/lib/chat/organizations/icon.ts";
import { iconSchema } from "@/lib/chat/organizations/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Change the organization's icon",
    description: "A multipart body with one PNG, GIF, JPEG or WebP picture of 5 MiB at most.",
    who: "admin",
    params: {},
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
    success: iconSchema,
  }, async ({ app, realm, user, files }) => await changeIcon(app, { realm, actingUser: user }, files)),
  DELETE: apiEndpoint({
    summary: "Remove the organization's icon",
    description: "The server's own takes its place.",
    who: "admin",
    params: {},
    success: iconSchema,
  }, async ({ app, realm, user }) => await removeIcon(app, { realm, actingUser: user })),
});
