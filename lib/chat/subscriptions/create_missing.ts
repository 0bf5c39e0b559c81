import type { ChatApp } from "../app.ts";
import { createChannel } from "../channels/create.ts";
import type { Caller } from "../users/caller.ts";
import type { Join } from "./add.ts";
import type { AddedChannel, ChannelOptions } from "./params.ts";
import { setProperties } from "./set_properties.ts";

/**
 * Makes channels with their subscribers, each in a commit of its own. They differ in name and description alone, both
 * checked before: what refuses one refuses the first.
 * @throws AppError as `createChannel` does.
 */
export async function createMissing(
  app: ChatApp,
  caller: Caller,
  { missing, userIds, options }: {
    missing: readonly AddedChannel[];
    userIds: readonly number[];
    options: ChannelOptions;
  },
): Promise<readonly Join[]> {
  const joins: Join[] = [];
  for (const { name, description = "", color } of missing) {
    const channel = await createChannel(app, caller, {
      ...options,
      name,
      description,
      subscribers: [...userIds],
    });
    for (const userId of userIds) joins.push({ userId, channel, isNew: true });
    if (color === undefined || !userIds.includes(caller.actingUser.id)) continue;
    await setProperties(app, caller, [{ channelId: channel.id, property: "color", value: color }]);
  }
  return joins;
}
