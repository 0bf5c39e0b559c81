import type { ChannelRecord } from "../channels/channel.ts";
import type { UserTopicRecord } from "../messages/user_topic.ts";

/** What somebody wants of a topic, as the API shows it. */
export function toUserTopic({ channel_id, topic_name, last_updated, visibility_policy }: UserTopicRecord) {
  return {
    stream_id: channel_id,
    topic_name,
    last_updated: Math.floor(last_updated / 1000),
    visibility_policy,
  };
}

/** Muted topics as old clients know them: the channel's name, the topic, seconds since 1970 UTC; the oldest first. */
export function toMutedTopics(
  muted: readonly UserTopicRecord[],
  channels: readonly ChannelRecord[],
): (readonly [string, string, number])[] {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return [...muted].sort((one, other) => one.last_updated - other.last_updated)
    .flatMap(({ channel_id, topic_name, last_updated }) => {
      const name = names.get(channel_id);
      return name === undefined ? [] : [[name, topic_name, Math.floor(last_updated / 1000)] as const];
    });
}
