import { defaultChannelIds, getVisibleChannel } from "./store.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import type { Caller } from "../organization/users/model.ts";
import { actAsAdmin } from "../organization/users/store.ts";
import { invalidChannel } from "../organization/channels/model/access.ts";
import { auditChannel, sendToAudiences } from "./events.ts";

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
 * Adds or removes a default channel; does nothing if it already is one, but sends the event even if it was none.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateDefaultChannels(
  app: ChatApp,
  caller: Caller,
  channelId: number,
  isDefault: boolean,
): Promise<void> {
  await actAsAdmin(app, caller, async ({ tx, realm, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const channel = await getVisibleChannel(tx, permissions, { channelId, user });
    if (channel.is_archived) throw invalidChannel();
    if (isDefault && channel.invite_only) {
      throw new AppError("BAD_REQUEST", "Private channels cannot be made default.");
    }
    const before = await defaultChannelIds.get(tx, realm.id);
    if (before.includes(channelId) === isDefault) {
      if (!isDefault) sendDefaultChannelsEvent(tx, permissions, before);
      return;
    }
    await setDefaultChannel(tx, permissions, { channelId, isDefault });
    const action = isDefault ? "default_channel_added" : "default_channel_removed";
    auditChannel(tx, permissions, { actingUser: user, channel, action });
  });
}
