import type { Context } from "fresh";
import { finishConsent, startConsent, subdomainOfState } from "@/lib/chat/calls/oauth.ts";
import { readRealmBySubdomain, realmUrl } from "@/lib/chat/realm/realm.ts";
import type { Caller } from "@/lib/chat/users/caller.ts";
import { AppError } from "@/lib/core/errors.ts";
import { prefersPage } from "./accept.ts";
import { readSignedIn, sendOn } from "./page_session.ts";
import { requireKeyHolder, requireUsable } from "./principal.ts";
import { subdomainOf } from "./request_realm.ts";
import type { State } from "./services.ts";

/** Sends somebody to the provider of video calls, to be asked whether this server may make calls in his name. */
export async function registerCalls(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const caller = await identify(ctx);
  const response = new Response(null, { status: 302 });
  response.headers.set("location", await startConsent(chat, caller));
  response.headers.set("cache-control", "no-store");
  return response;
}

/** Takes what the provider sent somebody back with. */
export async function completeCalls(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const { searchParams } = ctx.url;
  const state = searchParams.get("state") ?? "";
  const elsewhere = await otherOrganization(ctx, state);
  if (elsewhere !== null) return elsewhere;
  const caller = await identify(ctx);
  await finishConsent(chat, caller, { code: searchParams.get("code") ?? "", state });
  if (prefersPage(ctx.req.headers.get("accept"))) return sendOn(ctx, "/account?done=calls");
  return Response.json({ result: "success", msg: "" }, { headers: { "cache-control": "no-store" } });
}

/** One address is registered with the provider; people of other organizations go on from there to theirs. */
async function otherOrganization(ctx: Context<State>, state: string): Promise<Response | null> {
  const { chat } = ctx.state.app;
  const subdomain = subdomainOfState(state);
  if (subdomain === subdomainOf(ctx) || ctx.req.headers.has("authorization")) return null;
  const realm = await readRealmBySubdomain(chat, subdomain);
  if (realm === null) return null;
  const response = new Response(null, { status: 302 });
  response.headers.set("location", realmUrl(chat, realm) + ctx.url.pathname + ctx.url.search);
  response.headers.set("cache-control", "no-store");
  return response;
}

/** The state in the address proves what a page of this origin would: nobody else's browser has it. */
async function identify(ctx: Context<State>): Promise<Caller> {
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
