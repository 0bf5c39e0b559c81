import type { Context } from "fresh";
import { authenticate } from "@/lib/chat/people/auth/authenticate.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { endSession } from "@/lib/chat/people/auth/sessions.ts";
import { isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { pageClientAddress, readRealmForm, readSignedIn, sendOn, signIn } from "../api/page_session.ts";
import { findRealm } from "../api/request_realm.ts";
import { safePath } from "../api/same_origin.ts";
import { clearSessionToken } from "../api/cookies.ts";
import { type PageOutcome, refusalOf, refusedPage, toPageProblem } from "./form_problems.ts";
import { requireSignInLeft, withSignInLimit } from "./sign_in_limit.ts";
import type { State } from "../services/services.ts";

/** Data of the sign-in page. */
export interface LoginData {
  readonly organization: string | null;
  readonly icon: RealmRecord["icon"];
  readonly next: string | null;
  readonly form: { readonly email: string };
  readonly problem: string | null;
  readonly notice: string | null;
}

const NOTICES: ReadonlyMap<string, string> = new Map([
  ["out", "You are signed out."],
  ["everywhere", "You are signed out everywhere."],
  ["reset", "Password changed. Sign in with your new password."],
]);

/** Loads the empty form; redirects users who are signed in already. */
export async function loadLogin(ctx: Context<State>): Promise<Response | LoginData> {
  const next = ctx.url.searchParams.get("next");
  const signedIn = await readSignedIn(ctx);
  if (signedIn !== null) return sendOn(ctx, safePath(next, landingOf(signedIn.session.user)));
  const notice = NOTICES.get(ctx.url.searchParams.get("notice") ?? "") ?? null;
  return { ...emptyLogin(await findRealm(ctx)), next, notice };
}

/** Signs in, or returns the form with its problem and the response status. */
export async function submitLogin(ctx: Context<State>): Promise<Response | PageOutcome<LoginData>> {
  const realm = await findRealm(ctx);
  if (realm === null) return { data: emptyLogin(null), status: 404 };
  // Before the body is read, so that a client beyond its limit costs little.
  const limit = await refusalOf(() => requireSignInLeft(ctx.state.app, pageClientAddress(ctx)));
  if (limit !== null) return refusedPage({ ...emptyLogin(realm), problem: limit.message }, limit);
  const fields = await readRealmForm(ctx, realm);
  const username = fields.get("username") ?? "";
  const next = fields.get("next") || null;
  try {
    const user = await checkPassword(ctx, realm, { username, password: fields.get("password") ?? "" });
    return await signIn(ctx, { realm, user }, safePath(next, landingOf(user)));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedPage(
      { ...emptyLogin(realm), next, form: { email: username }, problem: toPageProblem(error) },
      error,
    );
  }
}

/** Returns the page after signing in, unless a link asked for another one. */
function landingOf(user: UserRecord): string {
  return isAdmin(user) ? "/admin" : "/account";
}

/**
 * Returns the account of an address and password; failures are limited.
 * @throws AppError AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED or RATE_LIMIT_HIT.
 */
export function checkPassword(
  ctx: Context<State>,
  realm: RealmRecord,
  { username, password }: { username: string; password: string },
): Promise<UserRecord> {
  const services = ctx.state.app;
  const attempt = { realm, username, clientAddress: pageClientAddress(ctx) };
  return withSignInLimit(services, attempt, () => authenticate(services.chat, realm, { username, password }));
}

/** Ends the session of this browser, if any. */
export async function signOut(ctx: Context<State>): Promise<Response> {
  const { app } = ctx.state;
  const signedIn = await readSignedIn(ctx);
  if (signedIn !== null) {
    const { realm, session } = signedIn;
    await readRealmForm(ctx, realm);
    await endSession(app.chat, realm, { id: session.id, userId: session.user.id });
  }
  const response = sendOn(ctx, "/login?notice=out");
  clearSessionToken(response.headers, app.isHttps);
  // The search of the admin pages remembers what was found, such as names of people.
  response.headers.set("clear-site-data", '"storage"');
  return response;
}

function emptyLogin(realm: RealmRecord | null): LoginData {
  return {
    organization: realm?.name ?? null,
    icon: realm?.icon,
    next: null,
    form: { email: "" },
    problem: null,
    notice: null,
  };
}
