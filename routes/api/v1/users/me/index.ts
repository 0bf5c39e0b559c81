import { deactivateOwnUser } from "@/lib/chat/people/users/update_user.ts";
import { readProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import { ownUserSchema, toOwnUser } from "@/lib/chat/people/users/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get your own user",
    access: "anyone",
    success: ownUserSchema,
  }, async ({ app, realm, user }) => {
    const profileData = await readProfileData(app, realm.id, user.id);
    return toOwnUser(user, { app, realm, viewer: user }, profileData);
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate your own account",
    description:
      "Deactivates your bots too. The only owner of an organization cannot deactivate their account.",
    access: "human",
    refusals: ["CANNOT_DEACTIVATE_LAST_USER"],
  }, ({ app, caller }) => deactivateOwnUser(app, caller)),
});
