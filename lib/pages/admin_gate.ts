import type { Context, Middleware } from "fresh";
import { AppError } from "@/lib/core/errors.ts";
import { isAdmin } from "@/lib/chat/organization/users/model.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { LANGUAGES, translatorOf } from "@/lib/ui/translate.ts";
import { clearFlashMessage, readFlashMessage } from "./flash_message.ts";
import { readSignedIn, sendOn } from "../api/page_session.ts";
import { findAdminPath, readOpenPages } from "./open_pages.ts";
import type { State } from "../services/services.ts";
import { readSingleKeys } from "./single_keys.ts";
import { readTheme } from "./theme.ts";
import Negotiator from "negotiator";
import { MAX_ACCEPT } from "@/lib/api/accept.ts";
import { readCookie, toCookieName } from "../api/cookies.ts";
import { safePath } from "../api/same_origin.ts";

/**
 * Admits administrators to the admin pages, and holders of permissions to those that open for them, of which the
 * overview leads to the first; redirects visitors who are not signed in to the sign-in page and back, and refuses
 * everyone else.
 */
export const requireAdminSession: Middleware<State> = async (ctx) => {
  const signedIn = await readSignedIn(ctx);
  if (signedIn === null) return sendOn(ctx, `/login?next=${encodeURIComponent(returnPath(ctx))}`);
  const { realm, session: { user } } = signedIn;
  const { chat, isHttps } = ctx.state.app;
  const language = adminLanguageOf(ctx.req);
  const timeZone = user.timezone || readBrowserZone(ctx.req, isHttps);
  const formatter = createFormatter({ language, timeZone });
  const t = translatorOf(formatter);
  const opens = await readOpenPages(chat, user, realm);
  const isOpen = opens(ctx.url.pathname);
  if (!isOpen && !isAdmin(user)) {
    const isOverview = ctx.url.pathname === "/admin" && ctx.req.method !== "POST";
    const first = isOverview ? findAdminPath(opens) : null;
    if (first !== null) return sendOn(ctx, first);
    const refusal = t("Only administrators of the organization can open this page.");
    throw new AppError("UNAUTHORIZED_PRINCIPAL", refusal, { status: 403 });
  }
  const notice = readFlashMessage(ctx.req, isHttps);
  const choices = { theme: readTheme(ctx.req, isHttps), hasSingleKeys: readSingleKeys(ctx.req, isHttps) };
  const zoneCookie = user.timezone === "" ? toZoneCookie(isHttps) : "";
  ctx.state.admin = { realm, user, opens, formatter, t, timeZone, zoneCookie, ...choices, notice };
  // Administrators see the refusal inside the frame.
  if (!isOpen) {
    const refusal = t(
      "Only administrators of the main organization can open the short links of this server.",
    );
    throw new AppError("UNAUTHORIZED_PRINCIPAL", refusal, { status: 403 });
  }
  const response = await ctx.next();
  // A flash message is shown once, unless it was set by this very response; responses that are not pages do
  // not show it.
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  if (notice !== null && isPage && response.status < 300) clearFlashMessage(response.headers, isHttps);
  return response;
};

const ZONE_COOKIE = "sotto_zone";

/** Returns the time zone that the browser has stored in a cookie, for users who have not chosen one; UTC without it. */
function readBrowserZone(request: Request, isHttps: boolean): string {
  const zone = readCookie(request, ZONE_COOKIE, isHttps) ?? "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

/** Returns the cookie in which a script stores the browser's time zone, in place of `ZONE`. */
function toZoneCookie(isHttps: boolean): string {
  const attributes = `Path=/; Max-Age=31536000; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  return `${toCookieName(ZONE_COOKIE, isHttps)}=ZONE; ${attributes}`;
}

/** Longest address to return to: gateways refuse long headers, and encoding makes an address several times as long. */
const MAX_RETURN_PATH = 1000;

/** A form cannot be sent again after signing in, so the user returns to its page; a long query is dropped, too. */
function returnPath({ url, req }: Context<State>): string {
  const path = url.pathname + url.search;
  return req.method === "GET" && path.length <= MAX_RETURN_PATH ? path : url.pathname;
}

/**
 * Returns the language of an admin page: the one of LANGUAGES that the browser prefers; English elsewhere.
 */
export function adminLanguageOf({ headers, url }: Request): string {
  const accepted = headers.get("accept-language");
  const isRead = accepted !== null && accepted.length <= MAX_ACCEPT && isBelowAdmin(new URL(url).pathname);
  if (!isRead) return "en";
  const negotiator = new Negotiator({ headers: { "accept-language": accepted } });
  return negotiator.language([...LANGUAGES]) ?? "en";
}

/** Whether a path belongs to an admin page. */
export function isBelowAdmin(path: string): boolean {
  return path === "/admin" || path.startsWith("/admin/");
}

/**
 * Returns the path of the page that a form was sent from; `otherwise` when the browser does not report it.
 */
export function returnToOf({ headers }: Request, otherwise: string): string {
  const url = URL.parse(headers.get("referer") ?? "");
  return safePath(url === null ? null : url.pathname + url.search, otherwise);
}
