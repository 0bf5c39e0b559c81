import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { readPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { accessToAdminister, channelQueue } from "./caller.ts";
import type { ChannelRecord } from "./channel.ts";
import { defaultChannels } from "./defaults.ts";
import { noteChannelUpdate } from "./note_channel.ts";
import type { ChannelChanges } from "./params.ts";
import { putChannel } from "./store.ts";
import { differences, tellOfUpdate } from "./tell_of_update.ts";
import { UPDATE_STEPS } from "./update_steps.ts";

/** A channel as it was and as it is. */
export interface ChangedChannel {
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
}

/**
 * Changes a channel, archived or not, all that was sent or nothing; tells who may know of it what is other than before,
 * and who gains or loses sight of it that he does. What became of it is given back for those who announce it.
 * @throws AppError CHANNEL_ALREADY_EXISTS, EXPECTATION_MISMATCH, REQUEST_VARIABLE_INVALID, SYSTEM_GROUP_REQUIRED,
 * UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateChannel(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { channelId, changes }: { channelId: number; changes: ChannelChanges },
): Promise<ChangedChannel> {
  return await transact(app.store, async (tx) => {
    const permissions = await readPermissionContext(app, tx, realm.id);
    const visitor = await accessToAdminister(tx, permissions, { channelId, actingUser });
    const before = visitor.channel;
    const isDefault = async () => (await defaultChannels(tx, realm.id)).includes(channelId);
    const wasDefault = await isDefault();
    let after = before;
    for (const step of UPDATE_STEPS) after = await step({ app, tx, permissions, visitor, changes }, after);
    if (differences(permissions, before, after).length > 0) {
      putChannel(tx, permissions, { before, after });
      await tellOfUpdate(app, tx, { permissions, before, after });
    }
    const noted = { before, after, wasDefault, isDefault: await isDefault() };
    noteChannelUpdate(tx, permissions, { actor: actingUser, ...noted });
    return { before, after };
  }, channelQueue(realm.id));
}
