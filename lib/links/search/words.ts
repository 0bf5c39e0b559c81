import { domainToUnicode } from "node:url";
import type { LinkRecord } from "../store.ts";

/** Maximum number of words of a URL that are indexed, which bounds the writes for a link. */
const MAX_URL_WORDS = 12;
/** Maximum number of words of a title that are indexed. */
const MAX_TITLE_WORDS = 12;
/** Length to which words are cut, in code units. */
const MAX_WORD_LENGTH = 24;

/** States of a link that have a term in the index. */
export const INDEXED_STATES = ["disabled", "expires", "limited"] as const;
/** State of a link that has a term in the index. */
export type IndexedState = typeof INDEXED_STATES[number];

/** Returns the distinct words of a text in their order: runs of letters and digits, in lower case. */
export function wordsOf(text: string, max = Infinity): string[] {
  const words = new Set<string>();
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    words.add(cutWord(word));
    if (words.size >= max) break;
  }
  return [...words];
}

/** Cuts a word to the indexed length, without half of a surrogate pair at its end. */
function cutWord(word: string): string {
  const cut = word.slice(0, MAX_WORD_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Returns the words of a long URL that are indexed: of its host in both forms, then of the rest, decoded. */
export function urlWords(url: string): string[] {
  const { hostname } = new URL(url);
  const rest = url.slice(url.indexOf(":") + 1);
  const text = [hostname, domainToUnicode(hostname), decode(rest)].join(" ");
  return wordsOf(text, MAX_URL_WORDS);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the words of a title that are indexed. */
export function titleWords(title: string): string[] {
  return wordsOf(title, MAX_TITLE_WORDS);
}

/** Returns the words and tags of a link that a search compares; none for a deleted link. */
export function searchedWords({ url, title = "", tags = [], deletedAt }: LinkRecord): readonly string[] {
  return deletedAt !== undefined ? [] : [...urlWords(url), ...titleWords(title), ...tags];
}

/** Returns the term of a tag. */
export function tagTerm(tag: string): string {
  return `#${tag}`;
}

/** Returns the term of a state. */
export function stateTerm(state: IndexedState): string {
  return `=${state}`;
}

/** Returns the term that a word of a title has, which is also the start of those of longer words. */
export function titleTerm(word: string): string {
  return `"${word}`;
}

/** Returns the terms of a link's properties; most links have none. */
export function termsOf({ title, tags, isDisabled, expiresAt, maxVisits, deletedAt }: LinkRecord): string[] {
  if (deletedAt !== undefined) return [];
  return [
    ...title === undefined ? [] : titleWords(title).map(titleTerm),
    ...tags === undefined ? [] : tags.map(tagTerm),
    ...isDisabled === undefined ? [] : [stateTerm("disabled")],
    ...expiresAt === undefined ? [] : [stateTerm("expires")],
    ...maxVisits === undefined ? [] : [stateTerm("limited")],
  ];
}
