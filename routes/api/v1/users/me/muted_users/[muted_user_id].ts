import { muteUser, unmuteUser } from "@/lib/chat/messages/mute_users.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mute a user",
    description: "All past and future messages of the user count as read for you.",
    access: "anyone",
    ids: ["muted_user_id"],
    params: {},
  }, ({ app, caller, ids }) => muteUser(app, caller, ids.muted_user_id)),
  DELETE: apiEndpoint({
    summary: "Unmute a user",
    description: "Earlier messages of the user stay read.",
    access: "anyone",
    ids: ["muted_user_id"],
    params: {},
  }, ({ app, caller, ids }) => unmuteUser(app, caller, ids.muted_user_id)),
});
