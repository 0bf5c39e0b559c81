import { announceChanges } from "@/lib/chat/announcements/channels.ts";
import { archiveChannel } from "@/lib/chat/channels/archive.ts";
import { getChannel } from "@/lib/chat/channels/get.ts";
import { updateChannelParams } from "@/lib/chat/channels/params.ts";
import { oneChannelSchema } from "@/lib/chat/channels/schema.ts";
import { updateChannel } from "@/lib/chat/channels/update.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel",
    who: "anyone",
    params: {},
    ids: ["stream_id"],
    success: oneChannelSchema,
  }, async ({ app, realm, user, ids }) => ({
    stream: await getChannel(app, { realm, actingUser: user }, ids.stream_id),
  })),
  PATCH: apiEndpoint({
    summary: "Update a channel",
    description: "Changes all that is sent, or nothing; also takes an archived channel back into use.",
    who: "anyone",
    params: updateChannelParams,
    ids: ["stream_id"],
    refusals: ["CHANNEL_ALREADY_EXISTS", "EXPECTATION_MISMATCH", "REQUEST_VARIABLE_INVALID"],
  }, async ({ app, realm, user, params, ids }) => {
    const caller = { realm, actingUser: user };
    const changed = await updateChannel(app, caller, { channelId: ids.stream_id, changes: params });
    await announceChanges(app, caller, changed);
  }),
  DELETE: apiEndpoint({
    summary: "Archive a channel",
    who: "anyone",
    params: {},
    ids: ["stream_id"],
  }, async ({ app, realm, user, ids }) => {
    await archiveChannel(app, { realm, actingUser: user }, ids.stream_id);
  }),
});
