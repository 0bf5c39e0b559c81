import type { Linkify, LinkMatch } from "./context.ts";
import { selectLinks } from "./urls.ts";
import { parseUrl } from "./urls.ts";

/** Finds the links in a topic, in order: matches of `linkify` and bare URLs; `text` is as in the topic. */
export function renderTopicLinks(topic: string, linkify?: Linkify): { text: string; url: string }[] {
  const found = [...linkify?.(topic) ?? [], ...findUrls(topic)];
  return selectLinks(topic, found).map(({ start, end, url }) => ({ text: topic.slice(start, end), url }));
}

function findUrls(topic: string): LinkMatch[] {
  const found: LinkMatch[] = [];
  let passed = 0;
  for (const { index } of topic.matchAll(/(?<![\p{L}\p{N}_])(?:https?:\/\/|mailto:)/giu)) {
    const url = index < passed ? null : parseUrl(topic, index);
    if (url === null) continue;
    passed = index + url.length;
    found.push({ start: index, end: passed, url });
  }
  return found;
}
