import type { ParamValues } from "../params/param.ts";
import type { SubscriptionEdits } from "./edit.ts";
import type { editSubscriptionsParams, subscribeParams, unsubscribeParams } from "./params.ts";

/** What a request for new subscriptions asks for. */
export function toSubscribing(
  { subscriptions, principals, authorization_errors_fatal, ...options }: ParamValues<typeof subscribeParams>,
): SubscriptionEdits {
  return { add: subscriptions, principals, isFatal: authorization_errors_fatal, options };
}

/** What a request to end subscriptions asks for. */
export function toUnsubscribing(
  { subscriptions, principals }: ParamValues<typeof unsubscribeParams>,
): SubscriptionEdits {
  return { remove: toNamed(subscriptions), principals };
}

/** What a request for both asks for. */
export function toEditing(sent: ParamValues<typeof editSubscriptionsParams>) {
  return { add: sent.add, remove: toNamed(sent.delete) };
}

function toNamed(names: readonly string[]): readonly { readonly name: string }[] {
  return names.map((name) => ({ name: name.trim() }));
}
