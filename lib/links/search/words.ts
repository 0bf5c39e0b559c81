import { normalizeText } from "@/lib/core/text.ts";
import { domainToUnicode } from "node:url";
import { decodePercent } from "../hostnames.ts";
import type { LinkRecord } from "../store.ts";

/** Maximum number of words of a URL that are indexed, which bounds the writes for a link. */
const MAX_URL_WORDS = 12;
const MAX_TITLE_WORDS = 12;
/** Length to which words are cut, in code units. */
const MAX_WORD_LENGTH = 24;

/** First characters of terms. A term of a word is also the start of those of longer words. */
export const TERM = { tag: "#", state: "=", title: '"' } as const;

/** Returns the distinct words of a text in their order: runs of letters and digits, in lower case. */
export function wordsOf(text: string, max = Infinity): string[] {
  const words = new Set<string>();
  for (const [word] of normalizeText(text, "NFKC").toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const cut = word.slice(0, MAX_WORD_LENGTH);
    // Without half of a surrogate pair at its end.
    words.add(cut.isWellFormed() ? cut : cut.slice(0, -1));
    if (words.size >= max) break;
  }
  return [...words];
}

/** Returns the indexed words of a long URL: of its host in both forms, then of what follows the scheme, decoded. */
export function urlWords(url: string): string[] {
  const { hostname } = new URL(url);
  const address = decodePercent(url.slice(url.indexOf(":") + 1));
  const text = [hostname, domainToUnicode(hostname), address].join(" ");
  return wordsOf(text, MAX_URL_WORDS);
}

/** Returns the words and tags of a link that a search compares. */
export function searchedWords({ url, title = "", tags = [] }: LinkRecord): readonly string[] {
  return [...urlWords(url), ...wordsOf(title, MAX_TITLE_WORDS), ...tags];
}

/** Returns the terms of a link's properties; most links have none. */
export function termsOf(link: LinkRecord): string[] {
  const { title, tags = [], isDisabled, expiresAt, maxVisits, deletedAt } = link;
  if (deletedAt !== undefined) return [];
  return [
    ...title === undefined ? [] : wordsOf(title, MAX_TITLE_WORDS).map((word) => TERM.title + word),
    ...tags.map((tag) => TERM.tag + tag),
    ...isDisabled === undefined ? [] : [`${TERM.state}disabled`],
    ...expiresAt === undefined ? [] : [`${TERM.state}expires`],
    ...maxVisits === undefined ? [] : [`${TERM.state}limited`],
  ];
}
