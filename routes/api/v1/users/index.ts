import { createUser } from "@/lib/chat/joining/create_user.ts";
import { listUsersForCaller } from "@/lib/chat/people/users/list_users.ts";
import {
  createdUserSchema,
  createUserParams,
  listUsersParams,
  userListSchema,
} from "@/lib/chat/people/users/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List users and bots",
    access: "anyone",
    params: listUsersParams,
    success: userListSchema,
  }, async ({ app, caller, params }) => {
    const { user_ids: ids, ...options } = params;
    return { members: await listUsersForCaller(app, caller, { ids, options }) };
  }),
  POST: apiEndpoint({
    summary: "Create a user",
    access: "admin",
    params: createUserParams,
    success: createdUserSchema,
  }, async ({ app, caller, params }) => {
    const created = await createUser(app, caller, params);
    return { user_id: created.id };
  }),
});
