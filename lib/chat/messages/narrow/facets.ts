import { type Key, toEntry } from "@/lib/store/key.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";
import type { Store } from "@/lib/store/open.ts";
import type { MessageRecord } from "../model.ts";
import { hasManyWords } from "./search_words.ts";

/**
 * Properties of messages, each with an index of the organization's messages that have it. A collective mention is
 * that of a group or by a wildcard; a broad one is that by a wildcard or of more groups than have an index. A message
 * of many words has more than are indexed.
 */
const FACETS = [
  "link",
  "image",
  "attachment",
  "collective_mention",
  "broad_mention",
  "many_words",
] as const;
export type Facet = typeof FACETS[number] | `group_mention ${number}`;

/** Number of mentioned groups up to which a message has the facet of each of them. */
export const MAX_INDEXED_GROUPS = 20;
export const MAX_FACETS: number = FACETS.length + MAX_INDEXED_GROUPS;

export function facetKey(realmId: number, facet: Facet): Key {
  return [realmId, "message_facet", facet];
}

/** Returns the facet of the messages that mention a group, unless they mention more groups than have an index. */
export function toGroupFacet(groupId: number): Facet {
  return `group_mention ${groupId}`;
}

type FacetedMessage = Pick<
  MessageRecord,
  "content" | "has_link" | "has_image" | "has_attachment" | "mentions"
>;

export function listFacets(
  { content, has_link, has_image, has_attachment, mentions }: FacetedMessage,
): Facet[] {
  const { group_ids, is_stream_wildcard, is_topic_wildcard } = mentions;
  const hasWildcard = is_stream_wildcard || is_topic_wildcard;
  const areGroupsIndexed = group_ids.length <= MAX_INDEXED_GROUPS;
  const facets: [Facet, boolean][] = [
    ["link", has_link],
    ["image", has_image],
    ["attachment", has_attachment],
    ["collective_mention", group_ids.length > 0 || hasWildcard],
    ["broad_mention", !areGroupsIndexed || hasWildcard],
    ["many_words", hasManyWords(content)],
  ];
  return [
    ...facets.filter(([, holds]) => holds).map(([facet]) => facet),
    ...(areGroupsIndexed ? [...new Set(group_ids)].map(toGroupFacet) : []),
  ];
}

/** Messages that are read at once. */
const BATCH = 100;

/** Adds the index of message facets to a store of version 0.5.0. */
export async function addMessageFacets(store: Store): Promise<void> {
  const writer = new BulkWriter(store.kv);
  for await (const { key: [, realmId] } of store.kv.list({ prefix: ["realm"] })) {
    if (typeof realmId !== "number") continue;
    const messages = store.kv.list({ prefix: [realmId, "message"] }, { batchSize: BATCH });
    for await (const entry of messages) {
      const { value: message } = toEntry<MessageRecord>(entry);
      for (const facet of listFacets(message)) {
        await writer.set([...facetKey(realmId, facet), message.id], true);
      }
      if (message.id % BATCH === 0) await yieldToEventLoop();
    }
  }
  await writer.flush();
}
