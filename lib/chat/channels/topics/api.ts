import { z } from "zod";
import { type ChannelRecord, MAX_TOPIC } from "@/lib/chat/organization/channels/model/channel.ts";
import {
  bool,
  choice,
  described,
  exact,
  int,
  intChoice,
  optional,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { type UserTopicRecord, VISIBILITY_POLICIES } from "./model.ts";

export function toUserTopic({ channel_id, topic_name, last_updated, visibility_policy }: UserTopicRecord) {
  return {
    stream_id: channel_id,
    topic_name,
    last_updated: Math.floor(last_updated / 1000),
    visibility_policy,
  };
}

/** Converts muted topics for older clients: channel name, topic and seconds since 1970 UTC, oldest first. */
export function toMutedTopics(
  muted: readonly UserTopicRecord[],
  channels: readonly ChannelRecord[],
): (readonly [string, string, number])[] {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return [...muted].sort((a, b) => a.last_updated - b.last_updated)
    .flatMap(({ channel_id, topic_name, last_updated }) => {
      const name = names.get(channel_id);
      return name === undefined ? [] : [[name, topic_name, Math.floor(last_updated / 1000)] as const];
    });
}

const topicName = described(
  exact(trimmed({ max: MAX_TOPIC })),
  "Name of the topic, in any case, with or without messages. General chat accepts its display name.",
);

export const updateMutedTopicParams = {
  stream_id: described(optional(int()), "Id of the channel; required without its name."),
  stream: described(optional(exact(text())), "Name of the channel, in any case; not with its id."),
  topic: topicName,
  op: described(choice(["add", "remove"]), "`add` mutes the topic, `remove` unmutes it."),
};

export const setUserTopicParams = {
  stream_id: described(int(), "Id of the channel."),
  topic: topicName,
  visibility_policy: described(
    intChoice(VISIBILITY_POLICIES),
    "0: inherited from the channel; 1: muted; 2: unmuted; 3: followed.",
  ),
};

export const topicsSchema = z.object({
  topics: z.array(z.object({
    name: z.string(),
    max_id: z.int().meta({ description: "Id of the newest message that the caller can see." }),
  })),
});

export const listTopicsParams = {
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

export const deleteTopicParams = {
  topic_name: described(
    exact(trimmed({ max: MAX_TOPIC })),
    "Name of the topic, in any case. General chat accepts its display name.",
  ),
};

export const deletedTopicSchema = z.object({
  complete: z.boolean().meta({
    description: "Whether no messages are left that the caller can see; if false, repeat the request.",
  }),
});
