import type { z } from "zod";
import type { LinksApp } from "../app.ts";
import { blockHost, listAllBlockedHosts, type ListedHost, unblockHost } from "./blocked_hosts.ts";
import type { LinkActor } from "./link_actor.ts";
import type { blockedHostSchema, blockedHostsSchema } from "./link_schemas.ts";

/** Lists all blocked hosts for the API. */
export async function listBlockedHostAnswers(app: LinksApp): Promise<z.infer<typeof blockedHostsSchema>> {
  return { hosts: (await listAllBlockedHosts(app)).map(toHostAnswer) };
}

/**
 * Blocks a host and returns it for the API.
 * @throws AppError BAD_REQUEST for a text that is not a host.
 */
export async function addBlockedHostAnswer(
  app: LinksApp,
  host: string,
  actor: LinkActor,
): Promise<z.infer<typeof blockedHostSchema>> {
  return toHostAnswer(await blockHost(app, host, actor));
}

/**
 * Unblocks a host and returns it for the API.
 * @throws AppError NOT_FOUND for a host that no administrator blocked.
 */
export async function removeBlockedHostAnswer(
  app: LinksApp,
  host: string,
  actor: LinkActor,
): Promise<z.infer<typeof blockedHostSchema>> {
  return toHostAnswer(await unblockHost(app, host, actor));
}

function toHostAnswer({ host, blockedAt }: ListedHost): z.infer<typeof blockedHostSchema> {
  return { host, blockedAt: blockedAt === null ? null : new Date(blockedAt).toISOString() };
}
