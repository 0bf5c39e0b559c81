import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { readPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { getActingUser } from "@/lib/chat/users/store.ts";
import { announceSubscriptions } from "./announce_subscriptions.ts";
import { requireCanSubscribe, subscribeUsers } from "./subscribe_users.ts";
import {
  MAX_NAMED_CHANNELS,
  requireEditFitsCommit,
  type SubscriptionEditResult,
  tooManySubscriptions,
} from "./model.ts";
import { createMissingChannels } from "./create_missing_channels.ts";
import { defaultChannelOptions, type RequestedChannel, type SubscriptionEdits } from "./api/params.ts";
import { requireCanUnsubscribe, unsubscribeUsers } from "./unsubscribe_users.ts";
import {
  deduplicateChannels,
  getTargetUsers,
  resolveChannels,
  resolvePrincipals,
} from "./resolve_targets.ts";

/**
 * Subscribes and unsubscribes the caller or others, all or nothing, and sends the events. Creates missing
 * channels first, once everything else is allowed.
 * @throws AppError BAD_REQUEST, CONFLICT, and the errors of creating a channel.
 */
export async function editSubscriptions(
  app: ChatApp,
  caller: Caller,
  edits: SubscriptionEdits,
): Promise<SubscriptionEditResult> {
  const result = await applyEdits(app, caller, edits);
  if (edits.isAnnounced !== true) return result;
  return { ...result, isAnnounced: await announceSubscriptions(app, caller, result.subscribed) };
}

async function applyEdits(
  app: ChatApp,
  caller: Caller,
  { add = [], remove = [], principals = [], isFatal = true, options = defaultChannelOptions() }:
    SubscriptionEdits,
): Promise<SubscriptionEditResult> {
  if (add.length + remove.length > MAX_NAMED_CHANNELS) throw tooManySubscriptions();
  const userIds = await resolvePrincipals(app, caller, principals);
  const edits = { add: deduplicateChannels(add), remove: deduplicateChannels(remove), userIds, isFatal };
  const first = await tryEdit(app, caller, edits);
  if (first.result !== null) return first.result;
  const { missing } = first;
  const created = await createMissingChannels(app, caller, { missing, userIds, options });
  const existing = edits.add.filter((channel) => !missing.includes(channel));
  const { result } = await tryEdit(app, caller, { ...edits, add: existing });
  if (result === null) {
    throw new AppError("CONFLICT", "Another request changed the same data. Please try again.");
  }
  return { ...result, subscribed: [...created, ...result.subscribed] };
}

/**
 * Subscribes and unsubscribes the caller, as `editSubscriptions` does.
 * @throws AppError BAD_REQUEST if the request is empty, and the errors of `editSubscriptions`.
 */
export async function editOwnSubscriptions(
  app: ChatApp,
  caller: Caller,
  { add, remove }: Required<Pick<SubscriptionEdits, "add" | "remove">>,
): Promise<SubscriptionEditResult> {
  if (add.length === 0 && remove.length === 0) {
    throw new AppError("BAD_REQUEST", 'Nothing to do. Specify at least one of "add" or "delete".');
  }
  return await editSubscriptions(app, caller, { add, remove });
}

interface ResolvedEdits {
  readonly add: readonly RequestedChannel[];
  readonly remove: readonly { readonly name: string }[];
  readonly userIds: readonly number[];
  readonly isFatal: boolean;
}

/** The result; or the missing channels, if everything else is allowed: then nothing was changed. */
type SubscriptionEditOutcome =
  | { readonly result: SubscriptionEditResult }
  | { readonly result: null; readonly missing: readonly RequestedChannel[] };

function tryEdit(app: ChatApp, caller: Caller, edits: ResolvedEdits): Promise<SubscriptionEditOutcome> {
  const { realm } = caller;
  const { add, remove, userIds, isFatal } = edits;
  const userCount = new Set([caller.actingUser.id, ...userIds]).size;
  requireEditFitsCommit({ channels: add.length + remove.length, users: userCount });
  return transact(app.store, async (tx: Tx): Promise<SubscriptionEditOutcome> => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const actingUser = await getActingUser(tx, realm.id, caller.actingUser);
    const users = await getTargetUsers(tx, realm.id, userIds);
    const toAdd = await resolveChannels(tx, { realmId: realm.id, user: actingUser }, add);
    const toRemove = await resolveChannels(tx, { realmId: realm.id, user: actingUser }, remove);
    const named = toAdd.found.map(({ sent, viewer }) => ({ ...sent, color: sent.color, viewer }));
    const request = { actingUser, channels: named, users, isFatal };
    const { channels, unauthorized } = requireCanSubscribe(permissions, request);
    const left = requireCanUnsubscribe(permissions, { actingUser, channels: toRemove, users });
    if (toAdd.missing.length > 0) return { result: null, missing: toAdd.missing };
    const subscribed = await subscribeUsers(app, tx, { permissions, channels, users });
    const unsubscribed = await unsubscribeUsers(app, tx, { permissions, channels: left, users });
    return { result: { subscribed, unauthorized: isFatal ? null : unauthorized, unsubscribed } };
  });
}
