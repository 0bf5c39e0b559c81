import { setUserTopicParams } from "@/lib/chat/channels/topics/model.ts";
import { setUserTopic } from "@/lib/chat/channels/topics/user_topics.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Update a topic's visibility",
    description: "Mutes, unmutes or follows a topic for yourself, or removes your policy.",
    access: "anyone",
    params: setUserTopicParams,
  }, async ({ app, caller, params }) => {
    const { stream_id: channelId, topic, visibility_policy: policy } = params;
    await setUserTopic(app, caller, { channelId, topic, policy });
  }),
});
