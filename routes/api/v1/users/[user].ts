import { deactivateUser, updateUser } from "@/lib/chat/people/users/update_user.ts";
import { getUserForCaller } from "@/lib/chat/people/users/list_users.ts";
import * as api from "@/lib/chat/people/users/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a user by id or email address",
    access: "anyone",
    params: api.userViewParams,
    success: api.oneUserSchema,
  }, async ({ app, caller, params, ctx }) => {
    const name = ctx.params["user"] ?? "";
    return { user: await getUserForCaller(app, caller, { name, options: params }) };
  }),
  PATCH: apiEndpoint({
    summary: "Update a user",
    description:
      "Administrators can update all users except owners, owners all users, others their own bots.",
    access: "anyone",
    params: api.updateUserParams,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, caller, params, ctx }) => {
    await updateUser(app, caller, { name: ctx.params["user"] ?? "", changes: params });
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate a user",
    description: "Deactivates the user's bots too.",
    access: "anyone",
    params: api.deactivationParams,
    refusals: ["UNAUTHORIZED_PRINCIPAL"],
  }, async ({ app, services, caller, params, ctx }) => {
    const { deactivation_notification_comment: comment, actions: scope } = params;
    const options = { comment, scope, limits: services.limiter };
    await deactivateUser(app, caller, { name: ctx.params["user"] ?? "", options });
  }),
});
