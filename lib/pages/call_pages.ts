import type { Context } from "fresh";
import { finishAuthorization, getStateSubdomain, startAuthorization } from "@/lib/chat/devices/calls.ts";
import { readRealmBySubdomain, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { prefersPage } from "../api/accept.ts";
import { consumeLimits } from "../api/request_limits.ts";
import { readSignedIn, sendOn } from "../api/page_session.ts";
import { requireKeyHolder, requireUsable } from "../api/principal.ts";
import { subdomainOf } from "../api/request_realm.ts";
import type { State } from "../services/services.ts";

/**
 * Redirects a user to the provider of video calls, which asks whether this server may create calls on their
 * behalf.
 */
export async function registerCalls(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const caller = await identify(ctx);
  const response = new Response(null, { status: 302 });
  response.headers.set("location", await startAuthorization(chat, caller));
  response.headers.set("cache-control", "no-store");
  return response;
}

/** Handles a user's return from the provider of video calls. */
export async function completeCalls(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const { searchParams } = ctx.url;
  const state = searchParams.get("state") ?? "";
  const elsewhere = await otherOrganization(ctx, state);
  if (elsewhere !== null) return elsewhere;
  const caller = await identify(ctx);
  await finishAuthorization(chat, caller, { code: searchParams.get("code") ?? "", state });
  if (prefersPage(ctx.req.headers.get("accept"))) return sendOn(ctx, "/account?done=calls");
  return Response.json({ result: "success", msg: "" }, { headers: { "cache-control": "no-store" } });
}

/** Only one address is registered with the provider; users of other organizations continue to theirs. */
async function otherOrganization(ctx: Context<State>, state: string): Promise<Response | null> {
  const { chat } = ctx.state.app;
  const subdomain = getStateSubdomain(state);
  if (subdomain === subdomainOf(ctx) || ctx.req.headers.has("authorization")) return null;
  const realm = await readRealmBySubdomain(chat, subdomain);
  if (realm === null) return null;
  const response = new Response(null, { status: 302 });
  response.headers.set("location", realmUrl(chat, realm) + ctx.url.pathname + ctx.url.search);
  response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * Identifies and counts the caller like any request of the API; a client that guesses keys is counted as a
 * stranger.
 */
async function identify(ctx: Context<State>): Promise<Caller> {
  try {
    const caller = await readCaller(ctx);
    await consumeLimits(ctx, { realm: caller.realm, user: caller.actingUser });
    return caller;
  } catch (error) {
    const isRefused = error instanceof AppError && STATUS[error.code] === 401;
    if (isRefused) await consumeLimits(ctx, { realm: null, user: null });
    throw error;
  }
}

/** The state in the URL proves the same as a session of this origin: only this user's browser has it. */
async function readCaller(ctx: Context<State>): Promise<Caller> {
  if (ctx.req.headers.has("authorization")) {
    const { realm, user } = await requireKeyHolder(ctx);
    return { realm, actingUser: user };
  }
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) {
    throw new AppError("UNAUTHORIZED", "Not logged in: API authentication or user session required");
  }
  const { realm, user } = requireUsable({ realm: signedIn.realm, user: signedIn.session.user });
  return { realm, actingUser: user };
}
