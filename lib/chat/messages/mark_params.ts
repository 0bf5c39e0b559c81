import { described, int, text } from "../params/param.ts";

/** The parameters of marking a channel as read. */
export const markChannelParams = { stream_id: described(int(), "The channel's id.") };

/** The parameters of marking a topic as read. */
export const markTopicParams = {
  ...markChannelParams,
  topic_name: described(text(), "The topic; empty is the topic without a name."),
};
