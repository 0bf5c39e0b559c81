import { act, findAccessibleUser } from "@/lib/chat/organization/users/store.ts";
import {
  announceSubscriptions,
  getTargetUsers,
  requireCanSubscribe,
  subscribeUsers,
} from "./subscribe_users.ts";
import {
  actsForOthers,
  canRemoveOthers,
  MAX_CHECKS,
  MAX_NAMED_CHANNELS,
  type PropertyChange,
  type SentProperty,
  type SubscribeResult,
  type SubscriptionEditResult,
  type SubscriptionRecord,
  tooManySubscriptions,
  toPropertyChange,
  type UnsubscribeResult,
} from "./model.ts";
import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type Caller,
  noSuchUser,
  type UserRecord,
  USERS_READ_AT_ONCE,
} from "@/lib/chat/organization/users/model.ts";
import {
  insufficientPermission,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import { type ChannelViewer, hasMetadataAccess } from "@/lib/chat/organization/channels/model/access.ts";
import { channelNames, getReadableChannel, readChannelViewer } from "../store.ts";
import {
  channelKeys,
  type ChannelRecord,
  foldChannelName,
  requireChannelName,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { createUnannouncedChannel } from "../create_channel.ts";
import { unsubscribe } from "./store.ts";
import { sendSubscriberRemovedEvents } from "./events.ts";
import {
  type ChannelOptions,
  defaultChannelOptions,
  type RequestedChannel,
  type SubscriptionEdits,
} from "./api.ts";

/**
 * Returns the ids of the users that a request names by ids or addresses, each once; the caller's if it names
 * none.
 * @throws AppError BAD_REQUEST for a name of no user whom the caller can access.
 */
async function resolvePrincipals(
  app: ChatApp,
  caller: Caller,
  named: readonly (number | string)[],
): Promise<readonly number[]> {
  if (named.length === 0) return [caller.actingUser.id];
  const ids = new Set<number>();
  // An unknown user is found before all others are read.
  for (const names of chunk([...new Set(named)], USERS_READ_AT_ONCE)) {
    for (const user of await Promise.all(names.map((name) => findAccessibleUser(app, caller, name)))) {
      if (user === null) throw noSuchUser();
      ids.add(user.id);
    }
  }
  return [...ids];
}

/** Channels that a request names, each once as first sent, and the names without a channel. */
interface ResolvedChannels<T> {
  readonly found: readonly { readonly sent: T; readonly viewer: ChannelViewer }[];
  readonly missing: readonly T[];
}

/**
 * Finds the channels that a request names, archived ones included; letter case does not matter.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
async function resolveChannels<T extends { readonly name: string }>(
  tx: Tx,
  { realmId, user }: { realmId: number; user: UserRecord },
  named: readonly T[],
): Promise<ResolvedChannels<T>> {
  const found: { sent: T; viewer: ChannelViewer }[] = [];
  const missing: T[] = [];
  for (const sent of deduplicateChannels(named)) {
    requireChannelName(sent.name.trim());
    // A channel that is renamed meanwhile is still the one that was meant.
    const channelId = await tx.peek<number>(channelNames.key(realmId, sent.name));
    const viewer = channelId === null ? null : await readChannelViewer(tx, { realmId, channelId, user });
    if (viewer === null) missing.push(sent);
    else found.push({ sent, viewer });
  }
  return { found, missing };
}

/** Returns each named channel once, as first sent. */
function deduplicateChannels<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  const first = Map.groupBy(named, ({ name }) => foldChannelName(name));
  return [...first.values()].flatMap((alike) => alike.slice(0, 1));
}

/**
 * Returns the channels to unsubscribe users from. Everyone may unsubscribe themselves and their bots. A channel without
 * metadata access is rejected like one that does not exist.
 * @throws AppError BAD_REQUEST if the acting user may not unsubscribe the users, or has no access to a
 * channel.
 */
export function requireCanUnsubscribe(
  permissions: PermissionContext,
  { actingUser, channels: { found, missing }, users }: {
    actingUser: UserRecord;
    channels: ResolvedChannels<{ readonly name: string }>;
    users: readonly UserRecord[];
  },
): readonly ChannelRecord[] {
  const hidden = found.filter(({ viewer }) => !hasMetadataAccess(permissions, viewer));
  const unknown = [...missing, ...hidden.map(({ sent }) => sent)].map(({ name }) => name);
  if (unknown.length > 0) {
    throw new AppError("BAD_REQUEST", `Channel(s) (${unknown.join(", ")}) do not exist`);
  }
  const viewers = found.map(({ viewer }) => viewer);
  const archived = viewers.find(({ channel }) => channel.is_archived)?.channel;
  if (archived !== undefined) {
    throw new AppError("BAD_REQUEST", `Unable to access channel (${archived.name}).`);
  }
  const isAllowed = !actsForOthers(actingUser, users) ||
    viewers.every((viewer) => canRemoveOthers(permissions, viewer));
  if (!isAllowed) throw insufficientPermission();
  return viewers.map(({ channel }) => channel);
}

/** Unsubscribes users from channels, permissions being checked before, and sends the events. */
export async function unsubscribeUsers(
  app: ChatApp,
  tx: Tx,
  { permissions, channels, users }: {
    permissions: PermissionContext;
    channels: readonly ChannelRecord[];
    users: readonly UserRecord[];
  },
): Promise<readonly UnsubscribeResult[]> {
  const results: UnsubscribeResult[] = [];
  for (const channel of channels) {
    const removed: UserRecord[] = [];
    for (const user of users) {
      const wasSubscribed = await unsubscribe(tx, permissions, { channel, userId: user.id }) !== null;
      results.push({ userId: user.id, channel, wasSubscribed });
      if (wasSubscribed) removed.push(user);
    }
    await sendSubscriberRemovedEvents(app, tx, { permissions, channel, removed });
  }
  return results;
}

/** Maximum number of channels in one request: each costs checks of the commit. */
const MAX_UPDATED_CHANNELS = 45;
/** Maximum number of properties in one request. */
const MAX_PROPERTIES = 400;

interface SubscriptionPropertyUpdate extends SentProperty {
  readonly channelId: number;
}

/**
 * Sets properties of the caller's subscriptions in the given order, all or none, and sends each one to them,
 * changed or not. Checks all properties and values before any channel.
 * @throws AppError BAD_REQUEST.
 */
export async function updateSubscriptionProperties(
  app: ChatApp,
  { realm, actingUser }: Caller,
  updates: readonly SubscriptionPropertyUpdate[],
): Promise<void> {
  const changes = updates.map(({ channelId, ...sent }) => ({ channelId, ...toPropertyChange(sent) }));
  const channels = new Set(updates.map(({ channelId }) => channelId));
  if (channels.size > MAX_UPDATED_CHANNELS || updates.length > MAX_PROPERTIES) {
    throw new AppError(
      "BAD_REQUEST",
      `One request can change ${MAX_PROPERTIES} properties of ${MAX_UPDATED_CHANNELS} channels at most.`,
    );
  }
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    for (const change of changes) await updateProperty(tx, permissions, { ...change, user: actingUser });
  });
}

async function updateProperty(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, user, changes, announced }: PropertyChange & { channelId: number; user: UserRecord },
): Promise<void> {
  const { realm, now } = permissions;
  const { isSubscribed } = await getReadableChannel(tx, permissions, { channelId, user });
  const key = channelKeys.subscription(realm.id, user.id, channelId);
  const before = await tx.get<SubscriptionRecord>(key);
  if (!isSubscribed || before === null) {
    throw new AppError("BAD_REQUEST", `Not subscribed to channel ID ${channelId}`);
  }
  tx.set(key, { ...before, ...changes });
  for (const { property, value } of announced) {
    const event = { type: "subscription", op: "update", stream_id: channelId, property, value };
    sendEvent(tx, { realmId: realm.id, now }, { event, audience: [user.id] });
  }
}

/**
 * Creates channels with their subscribers, each in a commit of its own, without announcing them. They differ
 * in name and description alone, which are checked before: an error of one is an error of the first.
 * @throws AppError as `createUnannouncedChannel` does.
 */
async function createMissingChannels(
  app: ChatApp,
  caller: Caller,
  { missing, userIds, options }: {
    missing: readonly RequestedChannel[];
    userIds: readonly number[];
    options: ChannelOptions;
  },
): Promise<readonly SubscribeResult[]> {
  const results: SubscribeResult[] = [];
  for (const { name, description = "", color } of missing) {
    const created = { ...options, name, description, subscribers: [...userIds] };
    const channel = await createUnannouncedChannel(app, caller, created);
    for (const userId of userIds) results.push({ userId, channel, isNew: true });
    if (color === undefined || !userIds.includes(caller.actingUser.id)) continue;
    const update = { channelId: channel.id, property: "color", value: color };
    await updateSubscriptionProperties(app, caller, [update]);
  }
  return results;
}

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

/** Returns the result; or the missing channels, if everything else is allowed: then nothing was changed. */
function tryEdit(
  app: ChatApp,
  caller: Caller,
  { add, remove, userIds, isFatal }: {
    add: readonly RequestedChannel[];
    remove: readonly { readonly name: string }[];
    userIds: readonly number[];
    isFatal: boolean;
  },
): Promise<
  { result: SubscriptionEditResult; missing: [] } | { result: null; missing: readonly RequestedChannel[] }
> {
  const userCount = new Set([caller.actingUser.id, ...userIds]).size;
  // One user in 47 channels, 94 users in one channel, or any mix between; a channel costs one check of its own.
  if ((add.length + remove.length) * (1 + userCount) > MAX_CHECKS) throw tooManySubscriptions();
  return act(app, caller, async ({ tx, realm, actingUser }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
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
    return { result: { subscribed, unauthorized: isFatal ? null : unauthorized, unsubscribed }, missing: [] };
  });
}
