import { editOwnSubscriptions, editSubscriptions } from "@/lib/chat/subscriptions/edit.ts";
import { listUsedSubscriptions } from "@/lib/chat/subscriptions/list.ts";
import * as takes from "@/lib/chat/subscriptions/params.ts";
import { toEditing, toSubscribing, toUnsubscribing } from "@/lib/chat/subscriptions/requests.ts";
import * as gives from "@/lib/chat/subscriptions/schema.ts";
import { toJoined, toLeft } from "@/lib/chat/subscriptions/view.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

const list = { params: takes.listSubscriptionsParams, success: gives.subscriptionsSchema };
const add = {
  description:
    "One request subscribes 94 users to one channel, or yourself to 47. Missing channels are made.",
  params: takes.subscribeParams,
  success: gives.joinedSchema,
};
const remove = { params: takes.unsubscribeParams, success: gives.leftSchema };
const edit = { params: takes.editSubscriptionsParams, success: gives.editedSchema };

export const handler = methods({
  GET: apiEndpoint({ summary: "List your subscriptions", who: "anyone", ...list }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    return { subscriptions: await listUsedSubscriptions(call.app, caller, call.params.include_subscribers) };
  }),
  POST: apiEndpoint({ summary: "Subscribe to channels", who: "member", ...add }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    return toJoined(await editSubscriptions(call.app, caller, toSubscribing(call.params)));
  }),
  DELETE: apiEndpoint({ summary: "Unsubscribe from channels", who: "anyone", ...remove }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    return toLeft(await editSubscriptions(call.app, caller, toUnsubscribing(call.params)));
  }),
  PATCH: apiEndpoint({ summary: "Update your subscriptions", who: "member", ...edit }, async (call) => {
    const caller = { realm: call.realm, actingUser: call.user };
    const edited = await editOwnSubscriptions(call.app, caller, toEditing(call.params));
    return { ...toJoined(edited), ...toLeft(edited) };
  }),
});
