import type { Context } from "fresh";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/realm/realm.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "./services.ts";

/** The subdomain that a request names: what stands in its host in front of the public address's host; else empty. */
export function subdomainOf({ url, state }: Context<State>): string {
  const end = `.${state.app.publicHost}`;
  const host = url.hostname.toLowerCase();
  return host.endsWith(end) ? host.slice(0, -end.length) : "";
}

/** The organization that a request is for; null where none has its subdomain. */
export function findRealm(ctx: Context<State>): Promise<RealmRecord | null> {
  return readRealmBySubdomain(ctx.state.app.chat, subdomainOf(ctx));
}

/** The refusal of credentials for an organization that is not there: the root one may be made at any time. */
export function noSuchRealm(ctx: Context<State>): AppError {
  return subdomainOf(ctx) === ""
    ? new AppError("INVALID_API_KEY", "Invalid API key")
    : new AppError("NONEXISTENT_SUBDOMAIN", "Invalid subdomain");
}
