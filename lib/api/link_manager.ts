import type { Context } from "fresh";
import { readRealmBySubdomain } from "@/lib/chat/organization/organizations/model.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { requireShortenKey } from "@/lib/links/actions.ts";
import type { LinkActor } from "@/lib/links/manage/update_links.ts";
import { toLinkActor } from "@/lib/services/link_actors.ts";
import type { State } from "@/lib/services/services.ts";
import { readBearer, requireKeyHolder } from "./principal.ts";
import type { EndpointSpec } from "./endpoint.ts";

/**
 * Admits those who manage links: with the shorten key, where one is set, or with the API key of an administrator of
 * the root organization.
 * @throws AppError UNAUTHORIZED and others as `requireKeyHolder`, UNAUTHORIZED_PRINCIPAL for other accounts.
 */
async function requireLinkManager(ctx: Context<State>): Promise<LinkActor> {
  const { app } = ctx.state;
  const key = readBearer(ctx.req);
  if (key === null) {
    const { realm, user } = await requireKeyHolder(ctx);
    if (realm.subdomain === "" && isAdmin(user)) return toLinkActor(app, { realm, user });
    const message = "Only administrators of the root organization manage links.";
    throw new AppError("UNAUTHORIZED_PRINCIPAL", message, { status: 403 });
  }
  // Without a key, anyone may shorten, but not manage.
  if (app.config.shortenApiKey === null) throw new AppError("UNAUTHORIZED", "The key is not valid.");
  await requireShortenKey(app.links, key);
  return toLinkActor(app, { realm: await readRealmBySubdomain(app.chat, ""), user: null });
}

/** Parts that the endpoints for managing links have in common. */
export const FOR_MANAGERS = {
  authorize: requireLinkManager,
  isForManagers: true,
  rateLimit: "manage_links",
} as const satisfies Partial<EndpointSpec<unknown, unknown, unknown, LinkActor>>;

/** Refusals that the endpoints for managing links have in common. */
export const MANAGER_REFUSALS = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "MISSING_REMOTE_REALM",
  "NONEXISTENT_SUBDOMAIN",
  "CONFLICT",
  "UNAVAILABLE",
] as const;
