import type { ChatApp } from "@/lib/chat/app.ts";
import { createUnannouncedChannel } from "../create_channel.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import type { SubscribeResult } from "./model.ts";
import type { ChannelOptions, RequestedChannel } from "./api/params.ts";
import { updateSubscriptionProperties } from "./update_subscription_properties.ts";

/**
 * Creates channels with their subscribers, each in a commit of its own, without announcing them. They differ
 * in name and description alone, which are checked before: an error of one is an error of the first.
 * @throws AppError as `createUnannouncedChannel` does.
 */
export async function createMissingChannels(
  app: ChatApp,
  caller: Caller,
  { missing, userIds, options }: {
    missing: readonly RequestedChannel[];
    userIds: readonly number[];
    options: ChannelOptions;
  },
): Promise<readonly SubscribeResult[]> {
  const results: SubscribeResult[] = [];
  for (const { name, description = "", color } of missing) {
    const created = { ...options, name, description, subscribers: [...userIds] };
    const channel = await createUnannouncedChannel(app, caller, created);
    for (const userId of userIds) results.push({ userId, channel, isNew: true });
    if (color === undefined || !userIds.includes(caller.actingUser.id)) continue;
    const update = { channelId: channel.id, property: "color", value: color };
    await updateSubscriptionProperties(app, caller, [update]);
  }
  return results;
}
