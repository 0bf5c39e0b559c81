import * as actions from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { listUnarchivedSubscriptions } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import * as api from "@/lib/chat/channels/subscriptions/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

const list = { params: api.listSubscriptionsParams, success: api.subscriptionsSchema };
const add = {
  description: "Creates missing channels. Subscribes up to 94 users to one channel, or yourself to 47.",
  params: api.subscribeParams,
  success: api.subscribeResultSchema,
  refusals: ["REQUEST_VARIABLE_INVALID"],
} as const;
const remove = { params: api.unsubscribeParams, success: api.unsubscribeResultSchema };
const edit = { params: api.editSubscriptionsParams, success: api.editResultSchema };

export const handler = methods({
  GET: apiEndpoint({ summary: "List your subscriptions", access: "anyone", ...list }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const { include_subscribers } = call.params;
    return { subscriptions: await listUnarchivedSubscriptions(call.app, caller, include_subscribers) };
  }),
  POST: apiEndpoint({ summary: "Subscribe to channels", access: "member", ...add }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const edits = api.toSubscribeEdits(call.params);
    return api.toSubscribeResult(await actions.editSubscriptions(call.app, caller, edits));
  }),
  DELETE: apiEndpoint({ summary: "Unsubscribe from channels", access: "anyone", ...remove }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const edits = api.toUnsubscribeEdits(call.params);
    return api.toUnsubscribeResult(await actions.editSubscriptions(call.app, caller, edits));
  }),
  PATCH: apiEndpoint({ summary: "Update your subscriptions", access: "member", ...edit }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const result = await actions.editOwnSubscriptions(call.app, caller, api.toOwnEdits(call.params));
    return { ...api.toSubscribeResult(result), ...api.toUnsubscribeResult(result) };
  }),
});
