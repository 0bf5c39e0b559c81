import { archiveChannel, updateChannel } from "@/lib/chat/channels/update_channel.ts";
import { getChannel } from "@/lib/chat/channels/list_channels.ts";
import { oneChannelSchema, updateChannelParams } from "@/lib/chat/channels/api.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint(
    { summary: "Get a channel", access: "anyone", params: {}, ids: ["stream_id"], success: oneChannelSchema },
    async ({ app, caller, ids }) => ({
      stream: await getChannel(app, caller, ids.stream_id),
    }),
  ),
  PATCH: apiEndpoint({
    summary: "Update a channel",
    description: "Applies all changes or none. `is_archived=false` unarchives a channel.",
    access: "anyone",
    params: updateChannelParams,
    ids: ["stream_id"],
    refusals: [
      "CHANNEL_ALREADY_EXISTS",
      "EXPECTATION_MISMATCH",
      "REQUEST_VARIABLE_INVALID",
      "UNAUTHORIZED_PRINCIPAL",
    ],
  }, async ({ app, caller, params, ids }) => {
    await updateChannel(app, caller, { channelId: ids.stream_id, changes: params });
  }),
  DELETE: apiEndpoint(
    { summary: "Archive a channel", access: "anyone", params: {}, ids: ["stream_id"] },
    async ({ app, caller, ids }) => {
      await archiveChannel(app, caller, ids.stream_id);
    },
  ),
});
