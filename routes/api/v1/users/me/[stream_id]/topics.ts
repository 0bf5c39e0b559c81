import { listTopics, listTopicsParams } from "@/lib/chat/messages/list_topics.ts";
import { topicsSchema } from "@/lib/chat/messages/schema.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "Get a channel's topics",
    who: "anyone_or_spectator",
    ids: ["stream_id"],
    params: listTopicsParams,
    success: topicsSchema,
  }, async ({ app, realm, user, ids, params }) => {
    const asked = { channelId: ids.stream_id, knowsEmptyTopic: params.allow_empty_topic_name };
    return { topics: await listTopics(app, { realm, user }, asked) };
  }),
});
