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
  }, ({ app, realm, user }) => Promise.resolve(toOwnUser(user, { app, realm, viewer: user }))),
});
