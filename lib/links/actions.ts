import { AppError } from "@/lib/core/errors.ts";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { createTimestamper } from "@/lib/core/clock.ts";
import { isPlausibleShort, rewriteShort, toShortLink } from "./alphabet.ts";
import type { LinksApp } from "./app.ts";
import { BLOCKED_HOST } from "./creation.ts";
import { decodePercent } from "./hostnames.ts";
import { CLOSED, findClosedReason, type Link, NO_LINK } from "./link_cache.ts";
import { requireNoProblem } from "./params.ts";
import type { LinkCreator, LinkRecord } from "./store.ts";
import { readVisitCount } from "./visit_log.ts";
import { readVisits } from "./visit_pages.ts";

/** @throws AppError UNAUTHORIZED without the key, where one is configured. */
export async function requireShortenKey({ config }: LinksApp, key: string | null): Promise<void> {
  if (config.shortenApiKey === null) return;
  if (key === null) throw new AppError("UNAUTHORIZED", "This server requires a key to shorten URLs.");
  if (!await equalSecrets(key, config.shortenApiKey)) {
    throw new AppError("UNAUTHORIZED", "The key is not valid.");
  }
}

/** @throws AppError as `storeLink`. */
export async function shorten(app: LinksApp, url: string): Promise<{ short: string; url: string }> {
  const { short } = await storeLink(app, { url }, null);
  return { short, url: toShortLink(app.config.baseUrl, short) };
}

/**
 * Stores a link with validated properties under a new id and returns once it is durable.
 * @throws AppError UNPROCESSABLE for a blocked host, BAD_REQUEST for a URL with a password and for a short link
 * of this server, UNAVAILABLE when no id is free or the store cannot be written.
 */
export async function storeLink(
  app: LinksApp,
  link: Omit<LinkRecord, "createdAt">,
  creator: LinkCreator | null,
): Promise<{ readonly short: string; readonly record: LinkRecord }> {
  // Another process may have unblocked the host; whether it has blocked it is for the commit to say.
  if (app.cache.isBlocked(link.url)) await app.cache.refresh();
  await requireAllowed(app, link.url);
  const record = { ...link, createdAt: app.clock.now(), ...(creator === null ? {} : { creator }) };
  return { short: await app.creation.submit(record), record };
}

/** @throws AppError as `storeLink`, for a validated URL that no link may lead to, as of the state of the cache. */
export async function requireAllowed(app: LinksApp, url: string): Promise<void> {
  if (app.cache.isBlocked(url)) throw BLOCKED_HOST;
  requireNoProblem({ url: await findTargetProblem(app, new URL(url)) });
}

async function findTargetProblem(app: LinksApp, url: URL): Promise<string | null> {
  // A user name alone, as in `ssh://git@host/`, is public.
  if (url.password !== "") return "The URL contains a password, which everyone with the link would see.";
  const own = app.readOwnShort(url);
  if (own === null || await findLink(app, own) === null) return null;
  return "The URL is a short link of this server already.";
}

/**
 * Counts one visit of an incoming id, with rewrites applied, and returns its link once the visit is durable. The commit
 * decides whether the link is open.
 * @throws AppError NOT_FOUND for an id that was never assigned, GONE for a closed link and when all its visits are used,
 * UNAVAILABLE when the store cannot be written.
 */
export async function visitLink(app: LinksApp, incoming: string): Promise<Link> {
  const at = app.clock.now();
  let link = await findLink(app, incoming);
  if (link !== null && findClosedReason(link, at) !== null) {
    // The cached link may be older than a change that opened it.
    await app.cache.refresh();
    link = await findLink(app, incoming);
  }
  const { short } = requireNotClosed(app, link);
  return await app.visits.submit({ short, at });
}

/**
 * Returns the link of an incoming id as of this moment, without counting a visit.
 * @throws AppError NOT_FOUND for an id that was never assigned, GONE for a closed link.
 */
export async function readOpenLink(app: LinksApp, incoming: string): Promise<Link> {
  await app.cache.refresh();
  const link = requireNotClosed(app, await findLink(app, incoming));
  if (link.maxVisits === undefined) return link;
  return requireNotClosed(app, link, await readVisitCount(app.store.kv, link.short));
}

function requireNotClosed({ clock }: LinksApp, link: Link | null, visits = 0): Link {
  if (link === null) throw NO_LINK;
  const reason = findClosedReason(link, clock.now(), visits);
  if (reason !== null) throw CLOSED[reason];
  return link;
}

/**
 * Returns the link of an incoming id, with rewrites applied, open or closed; null without one. It is no promise if the
 * link is cached, which saves a visit two of them.
 */
export function findLink(
  { cache, config }: LinksApp,
  incoming: string,
): Link | null | Promise<Link | null> {
  const short = rewriteShort(incoming, config.rewrites);
  return isPlausibleShort(short) ? cache.read(short) : null;
}

/**
 * Returns the link that a pasted text names: a short link with or without scheme, or the id, raw or
 * percent-encoded; null for none.
 */
export async function findPastedLink(app: LinksApp, text: string): Promise<Link | null> {
  const base = RegExp.escape(app.config.baseUrl.replace(/^https?:\/\//, ""));
  const [, id = text] = new RegExp(`^(?:https?://)?${base}/([^?#]*)`, "i").exec(text) ?? [];
  for (const incoming of new Set([id, decodePercent(id)])) {
    const link = await findLink(app, incoming.replace(/^\/|\/stats$|\/$/g, ""));
    if (link !== null) return link;
  }
  return null;
}

/** Yields a link's statistics as pieces of JSON: its long URL, and the time of every visit, oldest first. */
export async function* writeLinkStats(app: LinksApp, link: Link): AsyncGenerator<string> {
  const timestamp = createTimestamper();
  yield `{"url":${JSON.stringify(link.url)},"visits":[`;
  let separator = "";
  for await (const times of readVisits(app.store.kv, link.short)) {
    yield separator + Array.from(times, (time) => `"${timestamp(time)}"`).join(",");
    separator = ",";
  }
  yield "]}";
}
