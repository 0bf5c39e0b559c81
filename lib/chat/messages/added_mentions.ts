import type { Mentions } from "./message.ts";

/** Whom an edit made a message speak to, and whom it spoke to before. */
export interface MentionEdit {
  readonly before: Mentions;
  readonly added: Mentions;
}

/** What an edit made of a message's mentions; null where it speaks to nobody else than before. */
export function addedMentions(before: Mentions, after: Mentions): MentionEdit | null {
  const added: Mentions = {
    user_ids: after.user_ids.filter((id) => !before.user_ids.includes(id)),
    group_ids: after.group_ids.filter((id) => !before.group_ids.includes(id)),
    is_stream_wildcard: after.is_stream_wildcard && !before.is_stream_wildcard,
    is_topic_wildcard: after.is_topic_wildcard && !before.is_topic_wildcard,
  };
  const isAny = added.user_ids.length > 0 || added.group_ids.length > 0 || added.is_stream_wildcard ||
    added.is_topic_wildcard;
  return isAny ? { before, added } : null;
}

/** Whom both speak to. */
export function commonMentions(one: Mentions, other: Mentions): Mentions {
  return {
    user_ids: one.user_ids.filter((id) => other.user_ids.includes(id)),
    group_ids: one.group_ids.filter((id) => other.group_ids.includes(id)),
    is_stream_wildcard: one.is_stream_wildcard && other.is_stream_wildcard,
    is_topic_wildcard: one.is_topic_wildcard && other.is_topic_wildcard,
  };
}
