import type { ChannelRef } from "./context.ts";

/**
 * The address that a link may lead to, or null: http, https and mailto, a path of this server, a part of the page.
 * Browsers take a backslash for a slash and drop line breaks and tabs, so such addresses are refused.
 */
export function safeHref(url: string): string | null {
  if (/[\p{Cc}\s\\]/u.test(url)) return null;
  if (/^(?:\/(?!\/)|#)/.test(url)) return encode(url);
  if (/^mailto:[^/?#@][^/?#@]*@[^/?#@]+(?:\?[^#]*)?$/i.test(url)) return encode(url);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return null;
  return encode(url);
}

/** The path on this server of a picture, or null where the picture is elsewhere. */
export function safeImageSource(url: string, realmUrl: string): string | null {
  const href = safeHref(url);
  return href !== null && (href.startsWith("/") || href.startsWith(`${realmUrl}/`)) ? href : null;
}

/** Percent-encodes what may not stand in an address, keeping what is encoded already. */
function encode(url: string): string {
  return url.toWellFormed().replace(/[^\w!#$%&'()*+,\-./:;=?@[\]~]+/g, encodeURIComponent);
}

/** The address of a channel, of one of its topics, or of a message in it, on this server. */
export function narrowHref({ id, name }: ChannelRef, topic: string | null, messageId: string | null): string {
  const channel = `/#narrow/channel/${id}-${encodeOperand(name.replaceAll(" ", "-"))}`;
  if (topic === null) return channel;
  const inTopic = `${channel}/topic/${encodeOperand(topic)}`;
  return messageId === null ? inTopic : `${inTopic}/near/${messageId}`;
}

/** In a fragment the percent sign is written as a dot, so that no client decodes it too early. */
function encodeOperand(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoded.replaceAll(".", "%2E").replaceAll("%", ".");
}
