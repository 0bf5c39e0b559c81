import { markChannelRead } from "@/lib/chat/messages/read_state.ts";
import { markTopicParams } from "@/lib/chat/messages/read/fetch_messages.ts";
import { parseTopic } from "@/lib/chat/channels/topics/model.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark a topic as read",
    access: "anyone",
    params: markTopicParams,
  }, ({ app, caller, params }) => {
    const topic = parseTopic(params.topic_name, "topic_name");
    return markChannelRead(app, caller, { channelId: params.stream_id, topic });
  }),
});
