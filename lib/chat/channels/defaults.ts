import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sortedSet } from "../group_setting.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { hasMetadataAccess, invalidChannel, readVisitor } from "./access.ts";
import { channelQueue } from "./caller.ts";
import { channelKeys, type ChannelRecord } from "./channel.ts";
import { noteChannel } from "./note_channel.ts";
import { tell } from "./store.ts";

/** The most channels that new accounts are subscribed to. */
export const MAX_DEFAULT_CHANNELS = 500;

/** The ids of the channels that new accounts are subscribed to, ascending, as a transaction sees them. */
export async function defaultChannels(tx: Pick<Tx, "get">, realmId: number): Promise<readonly number[]> {
  return await tx.get<readonly number[]>(channelKeys.defaults(realmId)) ?? [];
}

/** The same ids as they are now. */
export async function readDefaultChannels(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
): Promise<readonly number[]> {
  return await reads.read<readonly number[]>(channelKeys.defaults(realmId)) ?? [];
}

/**
 * Makes a channel a default or takes it off, and tells all but guests; what is so already is neither written nor told.
 * @throws AppError BAD_REQUEST when there are too many.
 */
export async function setDefault(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, isDefault }: { channelId: number; isDefault: boolean },
): Promise<void> {
  const before = await defaultChannels(tx, permissions.realm.id);
  if (before.includes(channelId) === isDefault) return;
  const after = isDefault ? sortedSet([...before, channelId]) : before.filter((id) => id !== channelId);
  if (after.length > MAX_DEFAULT_CHANNELS) {
    throw new AppError("BAD_REQUEST", `There can be ${MAX_DEFAULT_CHANNELS} default channels at most.`);
  }
  tx.set(channelKeys.defaults(permissions.realm.id), after);
  tellOfDefaults(tx, permissions, after);
}

function tellOfDefaults(tx: Tx, permissions: PermissionContext, ids: readonly number[]): void {
  const event = { type: "default_streams", default_streams: ids };
  tell(tx, permissions, { event, audiences: ["members"] });
}

/**
 * Makes a channel a default one; one that is a default already stays one.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function addDefaultChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<void> {
  await changeDefaults(app, caller, {
    channelId,
    work: async (tx, permissions, channel) => {
      if (channel.invite_only) throw new AppError("BAD_REQUEST", "Private channels cannot be made default.");
      await setDefault(tx, permissions, { channelId, isDefault: true });
    },
  });
}

/**
 * Takes a channel off the defaults; one that is none is told off all the same.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function removeDefaultChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<void> {
  await changeDefaults(app, caller, {
    channelId,
    work: async (tx, permissions) => {
      const before = await defaultChannels(tx, permissions.realm.id);
      if (!before.includes(channelId)) return tellOfDefaults(tx, permissions, before);
      await setDefault(tx, permissions, { channelId, isDefault: false });
    },
  });
}

type DefaultsWork = (tx: Tx, permissions: PermissionContext, channel: ChannelRecord) => Promise<void>;

async function changeDefaults(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { channelId, work }: { channelId: number; work: DefaultsWork },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    // The caller's role may have changed since the request was let in.
    const user = await getUser(tx, realm.id, actingUser.id);
    requireAdmin(user);
    const visitor = await readVisitor(tx, { realmId: realm.id, channelId, user });
    if (visitor === null || visitor.channel.is_archived || !hasMetadataAccess(permissions, visitor)) {
      throw invalidChannel();
    }
    const isDefault = async () => (await defaultChannels(tx, realm.id)).includes(channelId);
    const wasDefault = await isDefault();
    await work(tx, permissions, visitor.channel);
    if (await isDefault() === wasDefault) return;
    const action = wasDefault ? "default_channel_removed" : "default_channel_added";
    noteChannel(tx, permissions, { actor: user, channel: visitor.channel, action });
  }, channelQueue(realm.id));
}
