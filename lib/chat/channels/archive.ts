import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { noteUses } from "../permissions/change.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import { realmKeys } from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { accessToAdminister, channelQueue } from "./caller.ts";
import { setDefault } from "./defaults.ts";
import { noteChannel } from "./note_channel.ts";
import { putChannel, tell } from "./store.ts";
import { tellOfUpdate } from "./tell_of_update.ts";
import type { ChangedChannel } from "./update.ts";

/**
 * Takes a channel out of use: it keeps its name, subscribers and messages, but is no default any more, new channels are
 * not announced in it, and the groups that its permissions name are free to go. One that is archived already stays so.
 * @throws AppError BAD_REQUEST.
 */
export async function archiveChannel(
  app: ChatApp,
  { realm, actingUser }: Caller,
  channelId: number,
): Promise<ChangedChannel> {
  return await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const { channel } = await accessToAdminister(tx, permissions, { channelId, actingUser });
    const after = { ...channel, is_archived: true };
    if (channel.is_archived) return { before: channel, after };
    await setDefault(tx, permissions, { channelId, isDefault: false });
    announceElsewhere(tx, permissions, channelId);
    await noteUses(tx, permissions, { holder: { ...channel, kind: "channel" }, after: {} });
    putChannel(tx, permissions, { before: channel, after });
    await tellOfUpdate(app, tx, { permissions, before: channel, after });
    noteChannel(tx, permissions, { actor: actingUser, channel, action: "channel_archived" });
    return { before: channel, after };
  }, channelQueue(realm.id));
}

/** The organization's setting is no channel for announcements from then on. */
function announceElsewhere(tx: Tx, permissions: PermissionContext, channelId: number): void {
  const { realm } = permissions;
  if (realm.settings.new_stream_announcements_stream_id !== channelId) return;
  const settings = { ...realm.settings, new_stream_announcements_stream_id: null };
  tx.set(realmKeys.realm(realm.id), { ...realm, settings });
  const data = { new_stream_announcements_stream_id: -1 };
  const event = { type: "realm", op: "update_dict", property: "default", data };
  tell(tx, permissions, { event, audiences: ["everyone"] });
}
