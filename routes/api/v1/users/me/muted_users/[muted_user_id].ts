import { muteUser } from "@/lib/chat/muted_users/mute_user.ts";
import { unmuteUser } from "@/lib/chat/muted_users/unmute_user.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mute a user",
    description: "What the user sent and will send counts as read for you, and for nobody else.",
    who: "anyone",
    ids: ["muted_user_id"],
    params: {},
  }, async ({ app, realm, user, ids }) => {
    await muteUser(app, { realm, actingUser: user }, ids.muted_user_id);
  }),
  DELETE: apiEndpoint({
    summary: "Unmute a user",
    description: "What came until now stays read.",
    who: "anyone",
    ids: ["muted_user_id"],
    params: {},
  }, async ({ app, realm, user, ids }) => {
    await unmuteUser(app, { realm, actingUser: user }, ids.muted_user_id);
  }),
});
