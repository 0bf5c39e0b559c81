import type { Context } from "fresh";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { findSession, type LiveSession, startSession } from "@/lib/chat/people/auth/sessions.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readPageForm } from "./body.ts";
import { clientAddressOf, toAddressGroup } from "../services/client_address.ts";
import { findRealm } from "./request_realm.ts";
import { requireRefusalsLeft } from "./request_limits.ts";
import { requireSameOrigin } from "./same_origin.ts";
import { readSessionToken, setSessionToken } from "./cookies.ts";
import type { State } from "../services/services.ts";

/** A signed-in user and their session. */
export interface SignedIn {
  readonly realm: RealmRecord;
  readonly session: LiveSession;
}

/** Returns whether a visitor has a session cookie, valid or not, for pages that only link elsewhere. */
export function hasSession({ req, state }: Context<State>): boolean {
  return readSessionToken(req, state.app.isHttps) !== null;
}

/**
 * Returns the user signed in with this browser, or null, and records that they use a page.
 * @throws AppError UNAVAILABLE when too many requests of the account are in flight.
 */
export async function readSignedIn(ctx: Context<State>): Promise<SignedIn | null> {
  const { app } = ctx.state;
  const token = readSessionToken(ctx.req, app.isHttps);
  const realm = token === null ? null : await findRealm(ctx);
  const session = token === null || realm === null ? null : await findSession(app.chat, realm, token);
  if (realm === null || session === null) return null;
  app.quotas.attribute(ctx.req, { realmId: realm.id, userId: session.user.id });
  ctx.state.sessionId = session.id;
  if (!isAutomatic(ctx)) app.chat.activity.record(realm, session.user);
  return { realm, session };
}

/** Whether a request is not one for a page: a stream of events, or one to the API, whose endpoints record activity. */
function isAutomatic({ req, url }: Context<State>): boolean {
  return url.pathname.startsWith("/api/") || req.headers.get("accept") === "text/event-stream";
}

/** Starts a session for this browser, ends its previous one, and returns a redirect. */
export async function signIn(
  ctx: Context<State>,
  { realm, user }: { realm: RealmRecord; user: UserRecord },
  location: string,
): Promise<Response> {
  const { app } = ctx.state;
  const userAgent = ctx.req.headers.get("user-agent") ?? "";
  const formerToken = readSessionToken(ctx.req, app.isHttps);
  const token = await startSession(app.chat, realm, { user, userAgent, formerToken });
  const response = sendOn(ctx, location);
  setSessionToken(response.headers, token, app.isHttps);
  return response;
}

/** Redirects a browser to another page of this site after a form was accepted. */
export function sendOn(ctx: Context<State>, location: string): Response {
  const response = ctx.redirect(location, 303);
  response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * Reads the fields of a form of this site.
 * @throws AppError BAD_REQUEST for a form of another site, RATE_LIMIT_HIT for a client with too many refusals.
 */
export async function readOwnForm(ctx: Context<State>): Promise<ReadonlyMap<string, string>> {
  await requireRefusalsLeft(ctx);
  requireSameOrigin(ctx.req, new URL(ctx.state.app.config.baseUrl).origin);
  return await readPageForm(ctx);
}

/** Reads the fields of a form of an organization's page, whose address may have a subdomain. */
export async function readRealmForm(
  ctx: Context<State>,
  realm: RealmRecord,
): Promise<ReadonlyMap<string, string>> {
  await requireRefusalsLeft(ctx);
  requireSameOrigin(ctx.req, new URL(realmUrl(ctx.state.app.chat, realm)).origin);
  return await readPageForm(ctx);
}

/** Returns the organization of a page's address, or throws a refusal that browsers show. */
export async function getPageRealm(ctx: Context<State>): Promise<RealmRecord> {
  const realm = await findRealm(ctx);
  if (realm === null) throw new AppError("NOT_FOUND", "There is no organization at this address.");
  return realm;
}

/** Returns the address of the client that requests a page. */
export function pageClientAddress({ state, req, info }: Context<State>): string {
  return clientAddressOf(state.app.addresses, req, info);
}

/** Returns the group of the address of the client that requests a page, by which clients share resources. */
export function pageClientGroup(ctx: Context<State>): string {
  return toAddressGroup(pageClientAddress(ctx));
}
