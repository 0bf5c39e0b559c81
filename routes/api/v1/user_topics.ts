import { setUserTopicParams } from "@/lib/chat/user_topics/params.ts";
import { setUserTopic } from "@/lib/chat/user_topics/set.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Update a topic's visibility",
    description: "Mutes, unmutes or follows a topic of a channel for yourself, or takes that back.",
    who: "anyone",
    params: setUserTopicParams,
  }, async ({ app, realm, user, params }) => {
    const { stream_id: channelId, topic, visibility_policy: policy } = params;
    await setUserTopic(app, { realm, actingUser: user }, { channelId, topic, policy });
  }),
});
