import * as actions from "@/lib/chat/channels/subscriptions/edit_subscriptions.ts";
import { listUnarchivedSubscriptions } from "@/lib/chat/channels/subscriptions/list_subscriptions.ts";
import * as params from "@/lib/chat/channels/subscriptions/api.ts";
import * as schemas from "@/lib/chat/channels/subscriptions/api.ts";
import { toSubscribeResult, toUnsubscribeResult } from "@/lib/chat/channels/subscriptions/api.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

const list = { params: params.listSubscriptionsParams, success: schemas.subscriptionsSchema };
const add = {
  description: "Creates missing channels. Subscribes up to 94 users to one channel, or yourself to 47.",
  params: params.subscribeParams,
  success: schemas.subscribeResultSchema,
  refusals: ["REQUEST_VARIABLE_INVALID"],
} as const;
const remove = { params: params.unsubscribeParams, success: schemas.unsubscribeResultSchema };
const edit = { params: params.editSubscriptionsParams, success: schemas.editResultSchema };

export const handler = methods({
  GET: apiEndpoint({ summary: "List your subscriptions", access: "anyone", ...list }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const { include_subscribers } = call.params;
    return { subscriptions: await listUnarchivedSubscriptions(call.app, caller, include_subscribers) };
  }),
  POST: apiEndpoint({ summary: "Subscribe to channels", access: "member", ...add }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const edits = params.toSubscribeEdits(call.params);
    return toSubscribeResult(await actions.editSubscriptions(call.app, caller, edits));
  }),
  DELETE: apiEndpoint({ summary: "Unsubscribe from channels", access: "anyone", ...remove }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const edits = params.toUnsubscribeEdits(call.params);
    return toUnsubscribeResult(await actions.editSubscriptions(call.app, caller, edits));
  }),
  PATCH: apiEndpoint({ summary: "Update your subscriptions", access: "member", ...edit }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const result = await actions.editOwnSubscriptions(call.app, caller, params.toOwnEdits(call.params));
    return { ...toSubscribeResult(result), ...toUnsubscribeResult(result) };
  }),
});
