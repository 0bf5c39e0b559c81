import type { Context } from "fresh";
import { readRealmBySubdomain, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { State } from "../services/services.ts";

/**
 * Returns the subdomain of a request: the part of its host before the public address's host, else an empty
 * string.
 */
export function subdomainOf({ url, state }: Context<State>): string {
  const end = `.${state.app.publicHost}`;
  const host = url.hostname.toLowerCase();
  return host.endsWith(end) ? host.slice(0, -end.length) : "";
}

/** Returns the organization of a request; null where none has its subdomain. */
export function findRealm(ctx: Context<State>): Promise<RealmRecord | null> {
  return readRealmBySubdomain(ctx.state.app.chat, subdomainOf(ctx));
}

/** Refusal of credentials for a missing organization; the root organization may still be created. */
export function noSuchRealm(ctx: Context<State>): AppError {
  return subdomainOf(ctx) === ""
    ? new AppError("INVALID_API_KEY", "Invalid API key")
    : new AppError("NONEXISTENT_SUBDOMAIN", "Invalid subdomain");
}
