import { z } from "zod";
import { hasContentAccess } from "../channels/access.ts";
import { listKnownChannels } from "../channels/list.ts";
import { showTopic } from "../messages/edit_topic.ts";
import { VISIBILITY } from "../messages/user_topic.ts";
import { listUserTopics } from "../user_topics/list.ts";
import { toMutedTopics } from "../user_topics/view.ts";
import { part } from "./part.ts";

const mutedTopicsSchema = z.object({
  muted_topics: z.array(z.tuple([z.string(), z.string(), z.int()])).meta({
    deprecated: true,
    description:
      "The channel's name, the topic, seconds since 1970 UTC. Left out for who asks for `user_topic`.",
  }),
});

/** Whoever wants the wishes of all kinds has the muted ones among them. */
const FOR = { type: "muted_topics", unless: "user_topic" } as const;

/** The topics that the caller muted, for clients that know of no other wishes; only where he may read the channel. */
export const mutedTopics = part(FOR, mutedTopicsSchema, async (call) => {
  const { app, realm, permissions, user, capabilities } = call;
  const entries = await listUserTopics(app, { realmId: realm.id, userId: user.id });
  const knowsEmpty = capabilities.includes("empty_topic_name");
  const muted = entries.map(({ value }) => value)
    .filter(({ visibility_policy }) => visibility_policy === VISIBILITY.muted)
    .map((topic) => ({ ...topic, topic_name: showTopic(topic.topic_name, knowsEmpty) }));
  if (muted.length === 0) return { muted_topics: [] };
  const known = await listKnownChannels(app, permissions, user);
  const readable = known.filter((visitor) => hasContentAccess(permissions, visitor)).map(({ channel }) =>
    channel
  );
  return { muted_topics: toMutedTopics(muted, readable) };
});
