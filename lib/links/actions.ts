import { AppError } from "@/lib/core/errors.ts";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { isPlausibleShort, rewriteShort, toShortLink } from "./alphabet.ts";
import { hasPassword, toOwnShort } from "./own_links.ts";
import type { LinksApp } from "./app.ts";
import type { Link } from "./link_cache.ts";
import { toTimestamps } from "./timestamps.ts";
import { readVisits } from "./visit_pages.ts";

/** A new link: its invisible id and its URL. */
export interface ShortenedUrl {
  readonly short: string;
  readonly url: string;
}

/**
 * Requires the shorten key where one is configured.
 * @throws AppError UNAUTHORIZED without the key or with another one.
 */
export async function requireShortenKey({ config }: LinksApp, key: string | null): Promise<void> {
  if (config.shortenApiKey === null) return;
  if (key === null) throw new AppError("UNAUTHORIZED", "This server requires a key to shorten URLs.");
  if (!await equalSecrets(key, config.shortenApiKey)) {
    throw new AppError("UNAUTHORIZED", "The key is not valid.");
  }
}

/**
 * Stores a validated URL under a new id and returns once it is durable.
 * @throws AppError UNPROCESSABLE for a blocked host, BAD_REQUEST for a URL with a password and for a short link
 * of this server, UNAVAILABLE when no id is free or the store cannot be
 * written.
 */
export async function shorten(app: LinksApp, url: string): Promise<ShortenedUrl> {
  if (app.isBlocked(url)) throw new AppError("UNPROCESSABLE", "The URL's host is blocked on this server.");
  if (hasPassword(url)) {
    throw refusedUrl("The URL contains a password, which everyone with the link would see.");
  }
  const own = toOwnShort(url, app.config.baseUrl);
  if (own !== null && await findLink(app, own) !== null) {
    throw refusedUrl("The URL is a short link of this server already.");
  }
  const short = await app.creation.submit({ url, createdAt: app.clock.now() });
  return { short, url: toShortLink(app.config.baseUrl, short) };
}

function refusedUrl(message: string): AppError {
  return new AppError("BAD_REQUEST", message, {
    errors: [{ code: "invalid_value", path: ["url"], message }],
  });
}

/**
 * Returns the link of an incoming id, with rewrites applied.
 * @throws AppError NOT_FOUND for an id that was never assigned, GONE when its host has been blocked since.
 */
export async function accessLink(app: LinksApp, incoming: string): Promise<Link> {
  const link = app.cache.peek(incoming) ?? await findLink(app, incoming);
  if (link === null) throw new AppError("NOT_FOUND", "No short link has this ID.");
  if (link.isBlocked) throw new AppError("GONE", "The link leads to a host that is blocked on this server.");
  return link;
}

/** Returns the link of an incoming id, with rewrites applied, blocked or not; null without one. */
export async function findLink({ cache, config }: LinksApp, incoming: string): Promise<Link | null> {
  const short = rewriteShort(incoming, config.rewrites);
  return isPlausibleShort(short) ? await cache.read(short) : null;
}

/** Counts one visit and settles once it is durable. */
export function countVisit(app: LinksApp, link: Link): Promise<void> {
  return app.visits.submit({ short: link.short, at: app.clock.now() });
}

/** Yields a link's statistics as pieces of JSON: its long URL, and the time of every visit, oldest first. */
export async function* writeLinkStats(app: LinksApp, link: Link): AsyncGenerator<string> {
  yield `{"url":${JSON.stringify(link.url)},"visits":[`;
  let separator = "";
  for await (const times of readVisits(app.store.kv, link.short)) {
    yield separator + toTimestamps(times);
    separator = ",";
  }
  yield "]}";
}
