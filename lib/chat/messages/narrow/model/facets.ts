import type { Key } from "@/lib/kv/key.ts";
import type { MessageRecord } from "../../model.ts";
import { hasManyWords } from "./search_words.ts";

/**
 * Properties of messages, each with an index of the organization's messages that have it. A collective mention is
 * that of a group or by a wildcard; a message of many words has more than are indexed.
 */
export const FACETS = ["link", "image", "attachment", "collective_mention", "many_words"] as const;
/** One of the facets. */
export type Facet = typeof FACETS[number];

/** Returns the prefix of the messages with a facet. */
export function facetKey(realmId: number, facet: Facet): Key {
  return [realmId, "message_facet", facet];
}

/** The part of a message that decides its facets. */
export type FacetedMessage = Pick<
  MessageRecord,
  "content" | "has_link" | "has_image" | "has_attachment" | "mentions"
>;

/** Returns the facets of a message. */
export function listFacets(
  { content, has_link, has_image, has_attachment, mentions }: FacetedMessage,
): Facet[] {
  const facets: [Facet, boolean][] = [
    ["link", has_link],
    ["image", has_image],
    ["attachment", has_attachment],
    [
      "collective_mention",
      mentions.group_ids.length > 0 || mentions.is_stream_wildcard || mentions.is_topic_wildcard,
    ],
    ["many_words", hasManyWords(content)],
  ];
  return facets.filter(([, holds]) => holds).map(([facet]) => facet);
}
