import { deactivateOwnUser } from "@/lib/chat/accounts/deactivate_user.ts";
import { readProfileData } from "@/lib/chat/profile_fields/values.ts";
import { ownUserSchema } from "@/lib/chat/users/schema.ts";
import { toOwnUser } from "@/lib/chat/users/view.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get your own account",
    who: "anyone",
    params: {},
    success: ownUserSchema,
  }, async ({ app, realm, user }) => {
    const profileData = await readProfileData(app, realm.id, user.id);
    return toOwnUser(user, { app, realm, viewer: user }, profileData);
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate your own account",
    description: "Your bots are deactivated with it. The only owner of an organization cannot do this.",
    who: "human",
    params: {},
  }, async ({ app, realm, user }) => {
    await deactivateOwnUser(app, { realm, actingUser: user });
  }),
});
