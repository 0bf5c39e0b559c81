import { createUser } from "@/lib/chat/accounts/create_user.ts";
import { listAccounts } from "@/lib/chat/accounts/list_accounts.ts";
import { createUserParams, listAccountsParams } from "@/lib/chat/accounts/params.ts";
import { madeUserSchema, membersSchema } from "@/lib/chat/accounts/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List the organization's people and bots",
    who: "anyone",
    params: listAccountsParams,
    success: membersSchema,
  }, async ({ app, realm, user, params }) => {
    const { user_ids: ids, ...options } = params;
    return { members: await listAccounts(app, { realm, actingUser: user }, { ids, options }) };
  }),
  POST: apiEndpoint({
    summary: "Make an account for a person",
    who: "admin",
    params: createUserParams,
    success: madeUserSchema,
  }, async ({ app, realm, user, params }) => {
    const made = await createUser(app, { realm, actingUser: user }, params);
    return { user_id: made.id };
  }),
});
