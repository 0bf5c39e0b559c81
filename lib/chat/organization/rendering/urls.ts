import type { ChannelRef, Linkify, LinkMatch } from "./context.ts";

const START = /^(?:https?:\/\/[\p{L}\p{N}[]|mailto:[^\s<>@]{1,64}@[\p{L}\p{N}])/iu;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** Characters that end a URL: blanks, marks of Markdown, quotation marks, and punctuation of scripts without spaces. */
const END = /[\s<>"`\\\p{Cc}“”„«»‹›、。，．！？：；…「」『』【】《》〈〉（）～]|\*\*|~~|\$\$/u;
/** Punctuation that does not belong to a URL that it follows. */
const TRAILING = /[.,;:!?'*_~|]|(?![\0-\x7f])\p{P}/u;

/** Parses the bare URL at `start`, without surrounding punctuation; null when there is none. */
export function parseUrl(text: string, start: number): string | null {
  const following = text.slice(start);
  const opening = START.exec(following);
  if (opening === null) return null;
  const end = following.slice(opening[0].length).search(END);
  return trimPunctuation(end < 0 ? following : following.slice(0, opening[0].length + end));
}

/** Drops trailing punctuation, and closing brackets that the URL does not open. */
function trimPunctuation(url: string): string {
  const surplus = new Map(
    Object.entries(CLOSING).map(([close, open]) => [close, count(url, close) - count(url, open)]),
  );
  let end = url.length;
  for (; end > 0; end--) {
    const char = url.charAt(end - 1);
    const extra = surplus.get(char);
    if (extra !== undefined && extra > 0) surplus.set(char, extra - 1);
    else if (!TRAILING.test(char)) break;
  }
  return url.slice(0, end);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

/**
 * Returns the URL if a link may use it: http, https, mailto, a path of this server or a fragment; otherwise
 * null. Backslashes, line breaks and tabs are refused because browsers reinterpret them.
 */
export function toSafeHref(url: string): string | null {
  if (/[\p{Cc}\s\\]/u.test(url)) return null;
  if (/^(?:\/(?!\/)|#)/.test(url)) return encodeUrl(url);
  if (/^mailto:[^/?#@][^/?#@]*@[^/?#@]+(?:\?[^#]*)?$/i.test(url)) return encodeUrl(url);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return null;
  return encodeUrl(url);
}

/** Returns the URL of an image on this server; null for images elsewhere. */
export function toSafeImageSource(url: string, realmUrl: string): string | null {
  const href = toSafeHref(url);
  return href !== null && (href.startsWith("/") || href.startsWith(`${realmUrl}/`)) ? href : null;
}

/** Returns whether a path has the extension of an image that clients draw. */
export function isImagePath(path: string): boolean {
  return /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i.test(path);
}

/** A host or mail domain, after what comes before it. */
const HOST = /^(https?:\/\/(?:[^/?#]*@)?|mailto:[^/?#@]+@)([^/?#:@]+)/i;

/**
 * Percent-encodes characters that URLs do not allow, and a host by IDNA, because programs differ in how they read another
 * form; keeps existing escapes.
 */
function encodeUrl(url: string): string {
  const encoded = url.replace(HOST, (whole, before: string, host: string) => {
    const ascii = /[^\0-\x7f]/.test(host) ? URL.parse(`http://${host}`)?.hostname : undefined;
    return ascii === undefined ? whole : before + ascii;
  });
  return encoded.toWellFormed().replace(/[^\w!#$%&'()*+,\-./:;=?@[\]~]+/g, encodeURIComponent);
}

/** Formats the URL of a channel, of a topic or of a message on this server. */
export function formatNarrowHref(
  { id, name }: ChannelRef,
  topic: string | null,
  messageId: string | null,
): string {
  const channel = `/#narrow/channel/${id}-${encodeOperand(name.replaceAll(" ", "-"))}`;
  if (topic === null) return channel;
  const inTopic = `${channel}/topic/${encodeOperand(topic)}`;
  return messageId === null ? inTopic : `${inTopic}/near/${messageId}`;
}

/** Encodes an operand for a fragment, with dots for percent signs so that clients do not decode it early. */
function encodeOperand(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.replaceAll(".", "%2E").replaceAll("%", ".");
}

/** Returns the links of a text in order, with safe URLs; of overlapping links the first is kept. */
export function selectLinks(text: string, found: readonly LinkMatch[]): LinkMatch[] {
  const selected: LinkMatch[] = [];
  let from = 0;
  for (const { start, end, url } of found.toSorted((a, b) => a.start - b.start)) {
    const href = toSafeHref(url);
    if (href === null || start < from || end <= start || end > text.length) continue;
    selected.push({ start, end, url: href });
    from = end;
  }
  return selected;
}

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
