import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { ChannelViewer } from "../model/access.ts";
import { readChannelViewer } from "../store.ts";
import { channelKeys, foldChannelName, requireChannelName } from "../model/channel.ts";
import { findAccessibleUser } from "@/lib/chat/users/list_users.ts";
import {
  type Caller,
  noSuchUser,
  userKeys,
  type UserRecord,
  USERS_READ_AT_ONCE,
} from "@/lib/chat/users/model.ts";

/**
 * Returns the ids of the users that a request names by ids or addresses, each once; the caller's if it names
 * none.
 * @throws AppError BAD_REQUEST for a name of no user whom the caller can access.
 */
export async function resolvePrincipals(
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

/**
 * Returns the users to subscribe or unsubscribe, in the order of the ids. Reads them without a check at
 * commit time: a user who is deactivated meanwhile does no harm.
 * @throws AppError BAD_REQUEST for the first user who does not exist or is deactivated.
 */
export async function getTargetUsers(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<readonly UserRecord[]> {
  const users = await Promise.all(
    ids.map((id) => Number.isSafeInteger(id) ? tx.peek<UserRecord>(userKeys.user(realmId, id)) : null),
  );
  return users.map((user) => {
    if (user === null) throw noSuchUser();
    if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    return user;
  });
}

/** Channels that a request names, each once as first sent, and the names without a channel. */
export interface ResolvedChannels<T> {
  readonly found: readonly { readonly sent: T; readonly viewer: ChannelViewer }[];
  readonly missing: readonly T[];
}

/**
 * Finds the channels that a request names, archived ones included; letter case does not matter.
 * @throws AppError BAD_REQUEST for an invalid name.
 */
export async function resolveChannels<T extends { readonly name: string }>(
  tx: Tx,
  { realmId, user }: { realmId: number; user: UserRecord },
  named: readonly T[],
): Promise<ResolvedChannels<T>> {
  const found: { sent: T; viewer: ChannelViewer }[] = [];
  const missing: T[] = [];
  for (const sent of deduplicateChannels(named)) {
    requireChannelName(sent.name.trim());
    // A channel that is renamed meanwhile is still the one that was meant.
    const channelId = await tx.peek<number>(channelKeys.byName(realmId, sent.name));
    const viewer = channelId === null ? null : await readChannelViewer(tx, { realmId, channelId, user });
    if (viewer === null) missing.push(sent);
    else found.push({ sent, viewer });
  }
  return { found, missing };
}

/** Returns each named channel once, as first sent. */
export function deduplicateChannels<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  const first = Map.groupBy(named, ({ name }) => foldChannelName(name));
  return [...first.values()].flatMap((alike) => alike.slice(0, 1));
}
