import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import type { Caller } from "../organization/users/model.ts";
import { getActingAdmin } from "../organization/users/store.ts";
import { hasMetadataAccess, invalidChannel } from "../organization/channels/model/access.ts";
import { defaultChannelIds, readChannelViewer } from "./store.ts";
import { auditChannel, sendToAudiences } from "./events.ts";
import type { ChannelRecord } from "../organization/channels/model/channel.ts";

/**
 * Adds or removes a default channel and sends the event to all but guests; does nothing without a change.
 * @throws AppError BAD_REQUEST if there are too many.
 */
export async function setDefaultChannel(
  tx: Tx,
  permissions: PermissionContext,
  { channelId, isDefault }: { channelId: number; isDefault: boolean },
): Promise<void> {
  const before = await defaultChannelIds.get(tx, permissions.realm.id);
  if (before.includes(channelId) === isDefault) return;
  const { id: realmId } = permissions.realm;
  const after = await defaultChannelIds.toggle(tx, realmId, { id: channelId, isIn: isDefault });
  sendDefaultChannelsEvent(tx, permissions, after);
}

function sendDefaultChannelsEvent(tx: Tx, permissions: PermissionContext, ids: readonly number[]): void {
  const event = { type: "default_streams", default_streams: ids };
  sendToAudiences(tx, permissions, { event, audiences: ["members"] });
}

/**
 * Adds a default channel; does nothing if it already is one.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function addDefaultChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<void> {
  await updateDefaultChannels(app, caller, {
    channelId,
    update: async (tx, permissions, channel) => {
      if (channel.invite_only) throw new AppError("BAD_REQUEST", "Private channels cannot be made default.");
      await setDefaultChannel(tx, permissions, { channelId, isDefault: true });
    },
  });
}

/**
 * Removes a default channel; sends the event even if it is none.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function removeDefaultChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<void> {
  await updateDefaultChannels(app, caller, {
    channelId,
    update: async (tx, permissions) => {
      const before = await defaultChannelIds.get(tx, permissions.realm.id);
      if (!before.includes(channelId)) return sendDefaultChannelsEvent(tx, permissions, before);
      await setDefaultChannel(tx, permissions, { channelId, isDefault: false });
    },
  });
}

async function updateDefaultChannels(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { channelId, update }: {
    channelId: number;
    update: (tx: Tx, permissions: PermissionContext, channel: ChannelRecord) => Promise<void>;
  },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const user = await getActingAdmin(tx, { realm, actingUser });
    const viewer = await readChannelViewer(tx, { realmId: realm.id, channelId, user });
    if (viewer === null || viewer.channel.is_archived || !hasMetadataAccess(permissions, viewer)) {
      throw invalidChannel();
    }
    const isDefault = async () => (await defaultChannelIds.get(tx, realm.id)).includes(channelId);
    const wasDefault = await isDefault();
    await update(tx, permissions, viewer.channel);
    if (await isDefault() === wasDefault) return;
    const action = wasDefault ? "default_channel_removed" : "default_channel_added";
    auditChannel(tx, permissions, { actingUser: user, channel: viewer.channel, action });
  });
}
