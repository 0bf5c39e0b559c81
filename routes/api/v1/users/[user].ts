import { deactivateUser } from "@/lib/chat/accounts/deactivate_user.ts";
import { showAccount } from "@/lib/chat/accounts/show_account.ts";
import { accountViewParams, updateUserParams } from "@/lib/chat/accounts/params.ts";
import { oneAccountSchema } from "@/lib/chat/accounts/schema.ts";
import { updateUser } from "@/lib/chat/accounts/update_user.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get an account by its id or address",
    who: "anyone",
    params: accountViewParams,
    success: oneAccountSchema,
  }, async ({ app, realm, user, params, ctx }) => {
    const name = ctx.params["user"] ?? "";
    return { user: await showAccount(app, { realm, actingUser: user }, { name, options: params }) };
  }),
  PATCH: apiEndpoint({
    summary: "Change somebody's account",
    description: "Accounts of owners are changed by owners; who is no administrator changes his bots alone.",
    who: "anyone",
    params: updateUserParams,
  }, async ({ app, realm, user, params, ctx }) => {
    await updateUser(app, { realm, actingUser: user }, { name: ctx.params["user"] ?? "", changes: params });
  }),
  DELETE: apiEndpoint({
    summary: "Deactivate somebody's account",
    description: "The bots of the account are deactivated with it.",
    who: "anyone",
    params: {},
  }, async ({ app, realm, user, ctx }) => {
    await deactivateUser(app, { realm, actingUser: user }, ctx.params["user"] ?? "");
  }),
});
