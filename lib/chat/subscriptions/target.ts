import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { type ChannelVisitor, readVisitor } from "../channels/access.ts";
import { channelKeys, foldChannelName } from "../channels/channel.ts";
import { requireChannelName } from "../channels/name.ts";
import type { Caller } from "../users/caller.ts";
import { apiEmail, canSeeEmail } from "../users/email.ts";
import { findUserByEmail } from "../users/store.ts";
import { foldEmail, userKeys, type UserRecord } from "../users/user.ts";

/**
 * The ids of the accounts that a request names by ids or addresses, each once; of the caller when it names none. Only
 * those are found by their real address whose address the caller may see.
 * @throws AppError BAD_REQUEST for an address that names nobody.
 */
export async function findPrincipals(
  app: ChatApp,
  { realm, actingUser }: Caller,
  named: readonly (number | string)[],
): Promise<readonly number[]> {
  if (named.length === 0) return [actingUser.id];
  const ids = await Promise.all(named.map(async (name) => {
    if (typeof name === "number") return name;
    const user = await findUserByEmail(app, realm, name);
    const isFound = user !== null &&
      (canSeeEmail(actingUser, user) || foldEmail(name) === foldEmail(apiEmail(app, realm, user)));
    if (!isFound) throw noSuchUser();
    return user.id;
  }));
  return [...new Set(ids)];
}

/**
 * Accounts that can be subscribed or unsubscribed, in the order of their ids' list. One that is deactivated at the same
 * moment does no harm, so nothing is checked when the change commits.
 * @throws AppError BAD_REQUEST for the first that is unknown or deactivated.
 */
export async function getTargets(
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

function noSuchUser(): AppError {
  return new AppError("BAD_REQUEST", "No such user");
}

/** Channels that a request names, each once as it was first sent, and those that there are not. */
export interface NamedChannels<T> {
  readonly found: readonly { readonly sent: T; readonly visitor: ChannelVisitor }[];
  readonly missing: readonly T[];
}

/**
 * The channels that a request names in any case, archived ones among them, as somebody stands before them.
 * @throws AppError BAD_REQUEST for what can be no channel's name.
 */
export async function findChannels<T extends { readonly name: string }>(
  tx: Tx,
  { realmId, user }: { realmId: number; user: UserRecord },
  named: readonly T[],
): Promise<NamedChannels<T>> {
  const found: { sent: T; visitor: ChannelVisitor }[] = [];
  const missing: T[] = [];
  for (const sent of firstOfEach(named)) {
    requireChannelName(sent.name.trim());
    // A channel that is renamed at the same moment is still the one that was meant.
    const channelId = await tx.peek<number>(channelKeys.byName(realmId, sent.name));
    const visitor = channelId === null ? null : await readVisitor(tx, { realmId, channelId, user });
    if (visitor === null) missing.push(sent);
    else found.push({ sent, visitor });
  }
  return { found, missing };
}

/** Each channel that is named, as it was first sent. */
export function firstOfEach<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  const first = Map.groupBy(named, ({ name }) => foldChannelName(name));
  return [...first.values()].flatMap((alike) => alike.slice(0, 1));
}
