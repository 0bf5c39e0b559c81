import { deletedTopicSchema, deleteTopicParams } from "@/lib/chat/channels/topics/model.ts";
import { deleteTopic } from "@/lib/chat/messages/delete_messages.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Delete a topic",
    description: "Deletes the messages of a topic that you can see, up to 200 of them. Administrators and " +
      "holders of the channel's permission to delete any message can do this.",
    access: "anyone",
    ids: ["stream_id"],
    params: deleteTopicParams,
    success: deletedTopicSchema,
  }, async ({ app, caller, ids, params }) => {
    const topic = { channelId: ids.stream_id, topic: params.topic_name };
    return await deleteTopic(app, caller, topic);
  }),
});
