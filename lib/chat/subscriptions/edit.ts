import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { getUser } from "../users/store.ts";
import { addSubscribers, type Join, requireMayAdd } from "./add.ts";
import { subscriptionQueue } from "./caller.ts";
import { createMissing } from "./create_missing.ts";
import { type AddedChannel, type ChannelOptions, defaultOptions } from "./params.ts";
import { type Leave, removeSubscribers, requireMayRemove } from "./remove.ts";
import { requireRoom } from "./room.ts";
import { findChannels, findPrincipals, firstOfEach, getTargets } from "./target.ts";

/** Which channels to come into and to leave, and who does: the caller when nobody is named. */
export interface SubscriptionEdits {
  readonly add?: readonly AddedChannel[];
  readonly remove?: readonly { readonly name: string }[];
  readonly principals?: readonly (number | string)[];
  /** Whether a channel that the caller may not read fails the whole. */
  readonly isFatal?: boolean;
  /** What channels are made with that there are not. */
  readonly options?: ChannelOptions;
}

/** What became of it. */
export interface Edited {
  readonly joins: readonly Join[];
  /** The names of the channels that the caller may not read; null where such a channel fails the whole. */
  readonly unauthorized: readonly string[] | null;
  readonly leaves: readonly Leave[];
}

/**
 * Subscribes and unsubscribes the caller or others, all or nothing, and tells all whom it concerns. Channels to come
 * into that there are not are made first, when all else was found to be allowed.
 * @throws AppError BAD_REQUEST, and what making a channel throws.
 */
export async function editSubscriptions(
  app: ChatApp,
  caller: Caller,
  { add = [], remove = [], principals = [], isFatal = true, options = defaultOptions() }: SubscriptionEdits,
): Promise<Edited> {
  const userIds = await findPrincipals(app, caller, principals);
  const edits = { add: firstOfEach(add), remove: firstOfEach(remove), userIds, isFatal };
  const first = await attempt(app, caller, edits);
  if (first.edited !== null) return first.edited;
  const { missing } = first;
  const made = await createMissing(app, caller, { missing, userIds, options });
  const existing = edits.add.filter((channel) => !missing.includes(channel));
  const { edited } = await attempt(app, caller, { ...edits, add: existing });
  if (edited === null) {
    throw new AppError("CONFLICT", "Others were changing the same thing. Please try again.");
  }
  return { ...edited, joins: [...made, ...edited.joins] };
}

/**
 * Changes one's own subscriptions, as `editSubscriptions` does.
 * @throws AppError as that does, and BAD_REQUEST when nothing is asked for.
 */
export async function editOwnSubscriptions(
  app: ChatApp,
  caller: Caller,
  { add, remove }: Required<Pick<SubscriptionEdits, "add" | "remove">>,
): Promise<Edited> {
  if (add.length === 0 && remove.length === 0) {
    throw new AppError("BAD_REQUEST", 'Nothing to do. Specify at least one of "add" or "delete".');
  }
  return await editSubscriptions(app, caller, { add, remove });
}

interface Attempt {
  readonly add: readonly AddedChannel[];
  readonly remove: readonly { readonly name: string }[];
  readonly userIds: readonly number[];
  readonly isFatal: boolean;
}

/** What was changed; or the channels that there are not, when everything else may be changed and nothing was. */
type Outcome =
  | { readonly edited: Edited }
  | { readonly edited: null; readonly missing: readonly AddedChannel[] };

function attempt(app: ChatApp, caller: Caller, wanted: Attempt): Promise<Outcome> {
  const { realm, actingUser } = caller;
  const { add, remove, userIds, isFatal } = wanted;
  const people = new Set([actingUser.id, ...userIds]).size;
  requireRoom({ channels: add.length + remove.length, people });
  return transact(app.store, async (tx: Tx): Promise<Outcome> => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const actor = await getUser(tx, realm.id, actingUser.id);
    const targets = await getTargets(tx, realm.id, userIds);
    const toAdd = await findChannels(tx, { realmId: realm.id, user: actor }, add);
    const toRemove = await findChannels(tx, { realmId: realm.id, user: actor }, remove);
    const channels = toAdd.found.map(({ sent, visitor }) => ({ ...sent, color: sent.color, visitor }));
    const joining = requireMayAdd(permissions, { actor, channels, targets, isFatal });
    const leaving = requireMayRemove(permissions, { actor, channels: toRemove, targets });
    if (toAdd.missing.length > 0) return { edited: null, missing: toAdd.missing };
    const joins = await addSubscribers(app, tx, { permissions, channels: joining.channels, targets });
    const leaves = await removeSubscribers(app, tx, { permissions, channels: leaving, targets });
    return { edited: { joins, unauthorized: isFatal ? null : joining.unauthorized, leaves } };
  }, subscriptionQueue(realm.id));
}
