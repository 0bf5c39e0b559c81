import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";
import { iconSchema } from "@/lib/chat/organization/organizations/api.ts";
import { removeIcon, updateIcon } from "@/lib/chat/organization/organizations/update_realm.ts";
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from "@/lib/chat/organization/pictures.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Upload the organization's icon",
    description: "Expects a multipart body with one PNG, GIF, JPEG or WebP image of at most 5 MiB.",
    access: "admin",
    upload: { maxBytes: MAX_PICTURE_BYTES, tooLarge: PICTURE_TOO_LARGE },
    success: iconSchema,
    refusals: ["NOT_FOUND"],
  }, async ({ app, caller, files }) => await updateIcon(app, caller, files)),
  DELETE: apiEndpoint({
    summary: "Remove the organization's icon",
    description: "The server's default icon replaces it.",
    access: "admin",
    success: iconSchema,
  }, async ({ app, caller }) => await removeIcon(app, caller)),
});
