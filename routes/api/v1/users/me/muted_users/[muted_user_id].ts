import { muteUser, unmuteUser } from "@/lib/chat/messages/mute_users.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mute a user",
    description: "All past and future messages of the user count as read for you.",
    access: "anyone",
    ids: ["muted_user_id"],
  }, ({ app, caller, ids }) => muteUser(app, caller, ids.muted_user_id)),
  DELETE: apiEndpoint({
    summary: "Unmute a user",
    description: "Earlier messages of the user stay read.",
    access: "anyone",
    ids: ["muted_user_id"],
  }, ({ app, caller, ids }) => unmuteUser(app, caller, ids.muted_user_id)),
});
