import type { Linkify, LinkMatch } from "./context.ts";
import { placeLinks } from "./place_links.ts";
import { readUrl } from "./read_url.ts";

/** The links in a topic, in its order: what `linkify` finds and addresses written out; `text` is as in the topic. */
export function renderTopicLinks(topic: string, linkify?: Linkify): { text: string; url: string }[] {
  const found = [...linkify?.(topic) ?? [], ...addressesIn(topic)];
  return placeLinks(topic, found).map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}

function addressesIn(topic: string): LinkMatch[] {
  const found: LinkMatch[] = [];
  let passed = 0;
  for (const { index } of topic.matchAll(/(?<![\p{L}\p{N}_])(?:https?:\/\/|mailto:)/giu)) {
    const url = index < passed ? null : readUrl(topic, index);
    if (url === null) continue;
    passed = index + url.length;
    found.push({ start: index, end: passed, url });
  }
  return found;
}
