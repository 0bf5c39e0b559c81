import type { Context } from "fresh";
import { type RealmRecord, realmUrl } from "@/lib/chat/realm/realm.ts";
import { findSession, type LiveSession, startSession } from "@/lib/chat/sessions/session.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readForm } from "./body.ts";
import { clientAddressOf } from "./client_address.ts";
import { findRealm } from "./request_realm.ts";
import { requireSameOrigin } from "./same_origin.ts";
import { readSessionToken, setSessionToken } from "./session_cookie.ts";
import type { State } from "./services.ts";

/** Who is signed in, and where. */
export interface SignedIn {
  readonly realm: RealmRecord;
  readonly session: LiveSession;
}

/** Who is signed in with this browser, or null. */
export async function readSignedIn(ctx: Context<State>): Promise<SignedIn | null> {
  const { app } = ctx.state;
  const token = readSessionToken(ctx.req, app.isHttps);
  const realm = token === null ? null : await findRealm(ctx);
  const session = token === null || realm === null ? null : await findSession(app.chat, realm, token);
  return realm === null || session === null ? null : { realm, session };
}

/** Begins a session for this browser and gives the answer that sends it on; whatever session it had counts no more. */
export async function signIn(
  ctx: Context<State>,
  { realm, user }: { realm: RealmRecord; user: UserRecord },
  location: string,
): Promise<Response> {
  const { app } = ctx.state;
  const userAgent = ctx.req.headers.get("user-agent") ?? "";
  const token = await startSession(app.chat, realm, { user, userAgent });
  const response = sendOn(ctx, location);
  setSessionToken(response.headers, token, app.isHttps);
  return response;
}

/** Sends a browser to another page of this site after a form was taken. */
export function sendOn(ctx: Context<State>, location: string): Response {
  const response = ctx.redirect(location, 303);
  response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * The fields of a page's own form.
 * @throws AppError BAD_REQUEST for a form of another site.
 */
export async function readOwnForm(ctx: Context<State>): Promise<ReadonlyMap<string, string>> {
  requireSameOrigin(ctx.req, new URL(ctx.state.app.config.baseUrl).origin);
  return await readForm(ctx.req);
}

/** The same for a page of an organization, whose address may have a subdomain. */
export async function readRealmForm(
  ctx: Context<State>,
  realm: RealmRecord,
): Promise<ReadonlyMap<string, string>> {
  requireSameOrigin(ctx.req, new URL(realmUrl(ctx.state.app.chat, realm)).origin);
  return await readForm(ctx.req);
}

/** The organization of a page's address, or a refusal that a browser is shown. */
export async function getPageRealm(ctx: Context<State>): Promise<RealmRecord> {
  const realm = await findRealm(ctx);
  if (realm === null) throw new AppError("NOT_FOUND", "There is no organization at this address.");
  return realm;
}

/** The address of the client that asks for a page. */
export function pageClientAddress({ state, req, info }: Context<State>): string {
  return clientAddressOf(state.app.addresses, req, info);
}
