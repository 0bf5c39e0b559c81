import { updateMutedTopicParams } from "@/lib/chat/channels/topics/model.ts";
import { updateMutedTopic } from "@/lib/chat/channels/topics/user_topics.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  PATCH: apiEndpoint({
    summary: "Mute or unmute a topic",
    description: "For older clients; `POST /user_topics` also unmutes and follows topics.",
    access: "anyone",
    params: updateMutedTopicParams,
    refusals: ["REQUEST_VARIABLE_MISSING"],
  }, ({ app, caller, params }) => updateMutedTopic(app, caller, params)),
});
