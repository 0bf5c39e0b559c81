import { listTopicsParams, topicsSchema } from "@/lib/chat/channels/topics/model.ts";
import { listTopics } from "@/lib/chat/messages/list_topics.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel's topics",
    access: "anyone_or_spectator",
    ids: ["stream_id"],
    params: listTopicsParams,
    success: topicsSchema,
  }, async ({ app, realm, user, ids, params }) => {
    const query = { channelId: ids.stream_id, allowsEmptyTopic: params.allow_empty_topic_name };
    return { topics: await listTopics(app, { realm, user }, query) };
  }),
});
