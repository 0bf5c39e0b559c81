import { markTopicRead } from "@/lib/chat/messages/mark_read.ts";
import { markTopicParams } from "@/lib/chat/messages/mark_params.ts";
import { readTopic } from "@/lib/chat/messages/edit_topic.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Mark a topic as read",
    who: "anyone",
    params: markTopicParams,
  }, ({ app, realm, user, params }) => {
    const topic = readTopic(params.topic_name, "topic_name");
    return markTopicRead(app, { realm, user }, { channelId: params.stream_id, topic });
  }),
});
