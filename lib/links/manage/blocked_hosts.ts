import type { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { LinksApp } from "../app.ts";
import { type BlockedHost, canonicalHostname, listBlockedHosts } from "../hostnames.ts";
import { announceChange } from "../link_cache.ts";
import { requireNoProblem } from "../params.ts";
import { linkKeys } from "../store.ts";
import type { blockedHostSchema } from "./link_schemas.ts";
import { type LinkActor, LINKS_QUEUE } from "./update_links.ts";

const MAX_HOSTS = 10_000;
const MAX_LENGTH = 253;

/** Lists all blocked hosts: those of the configuration, then those that administrators blocked. */
export async function listAllBlockedHosts({ config, store }: LinksApp): Promise<BlockedHost[]> {
  const configured = [...new Set(config.blockedHostnames.map(canonicalHostname))].sort();
  return [...configured.map((host) => ({ host, blockedAt: null })), ...await listBlockedHosts(store.kv)];
}

/**
 * Blocks a host and its subdomains: URLs of it cannot be shortened, and links to it answer 410 in every process at
 * once. `text` may be a URL of the host.
 * @throws AppError BAD_REQUEST for anything else.
 */
export async function blockHost(app: LinksApp, text: string, actor: LinkActor): Promise<BlockedHost> {
  const host = requireHost(text);
  const stored = await listBlockedHosts(app.store.kv);
  requireNoProblem({
    host: stored.length >= MAX_HOSTS ? `At most ${MAX_HOSTS} hosts can be blocked.` : null,
  });
  const added: BlockedHost = { host, blockedAt: app.clock.now() };
  return await replaceHost(app, host, added, actor) ?? added;
}

/**
 * Unblocks a host that an administrator blocked, and returns it.
 * @throws AppError NOT_FOUND for any other host.
 */
export async function unblockHost(app: LinksApp, text: string, actor: LinkActor): Promise<BlockedHost> {
  // An earlier version stored hosts with a wildcard.
  const isStored = (await listBlockedHosts(app.store.kv)).some(({ host }) => host === text);
  const removed = await replaceHost(app, isStored ? text : canonicalHostname(text), null, actor);
  if (removed === null) throw new AppError("NOT_FOUND", "This host is not in the list of blocked hosts.");
  return removed;
}

/** Adds a host to the stored ones, or removes it where `after` is null; returns the record of before. */
async function replaceHost(
  { cache, store }: LinksApp,
  host: string,
  after: BlockedHost | null,
  actor: LinkActor,
): Promise<BlockedHost | null> {
  const replaced = await transact(store, async (tx) => {
    const key = linkKeys.blockedHost(host);
    const before = await tx.get<BlockedHost>(key);
    if ((before === null) === (after === null)) return before;
    if (after === null) tx.delete(key);
    else tx.set(key, after);
    await announceChange(tx);
    actor.audit(tx, { action: after === null ? "blocked_host_removed" : "blocked_host_added", host });
    return before;
  }, LINKS_QUEUE);
  await afterCommit(() => cache.refresh());
  return replaced;
}

/**
 * Parses a host name, or a URL of the host.
 * @throws AppError BAD_REQUEST for anything else.
 */
export function requireHost(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}/`);
  const host = url === null ? "" : canonicalHostname(url.hostname);
  const isHost = host !== "" && host.length <= MAX_LENGTH && URL.canParse(`http://${host}/`);
  requireNoProblem({ host: isHost ? null : "This is not a host name, such as example.com." });
  return host;
}

export function toHostResponse({ host, blockedAt }: BlockedHost): z.infer<typeof blockedHostSchema> {
  return { host, blockedAt: blockedAt === null ? null : new Date(blockedAt).toISOString() };
}
