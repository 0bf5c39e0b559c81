import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { updateGroupUses } from "../permissions/change_permissions.ts";
import { readPermissionContext } from "../permissions/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { realmKeys } from "../organizations/model.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getChannelToAdminister, putChannel } from "./store.ts";
import { sendToAudiences } from "./events/audience.ts";
import { type ChangedChannel } from "./model/channel.ts";
import { setDefaultChannel } from "./update_default_channels.ts";
import { auditChannel } from "./events/audit.ts";
import { sendChannelUpdateEvents } from "./events/update.ts";

/**
 * Archives a channel, unless it is archived already, and sends the events. It keeps its name, subscribers and
 * messages, but is neither a default channel nor the channel for announcements, and no longer uses the groups
 * of its permissions.
 * @throws AppError BAD_REQUEST.
 */
export async function archiveChannel(
  app: ChatApp,
  caller: Caller,
  channelId: number,
): Promise<ChangedChannel> {
  const work = (tx: Tx) => applyArchiving({ app, tx, ...caller }, channelId);
  return await transact(app.store, work);
}

/**
 * Archives a channel within a transaction, with the events and the audit entry.
 * @throws AppError BAD_REQUEST.
 */
export async function applyArchiving(
  { app, tx, realm, actingUser }: ActionContext,
  channelId: number,
): Promise<ChangedChannel> {
  const permissions = await readPermissionContext(app, tx, realm.id);
  const { channel } = await getChannelToAdminister(tx, permissions, { channelId, actingUser });
  const after = { ...channel, is_archived: true };
  if (channel.is_archived) return { before: channel, after };
  await setDefaultChannel(tx, permissions, { channelId, isDefault: false });
  clearAnnouncementChannel(tx, permissions, channelId);
  updateGroupUses(tx, permissions, { holder: { ...channel, kind: "channel" }, after: {} });
  putChannel(tx, permissions, { before: channel, after });
  await sendChannelUpdateEvents(app, tx, { permissions, before: channel, after });
  const values = { before: { is_archived: false }, after: { is_archived: true } };
  auditChannel(tx, permissions, { actingUser, channel, action: "channel_archived", values });
  return { before: channel, after };
}

/** Clears the organization's channel for announcements if it is this one. */
function clearAnnouncementChannel(tx: Tx, permissions: PermissionContext, channelId: number): void {
  const { realm } = permissions;
  if (realm.settings.new_stream_announcements_stream_id !== channelId) return;
  const settings = { ...realm.settings, new_stream_announcements_stream_id: null };
  tx.set(realmKeys.realm(realm.id), { ...realm, settings });
  const data = { new_stream_announcements_stream_id: -1 };
  const event = { type: "realm", op: "update_dict", property: "default", data };
  sendToAudiences(tx, permissions, { event, audiences: ["everyone"] });
}
