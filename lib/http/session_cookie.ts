import { SESSION_LIFETIME_MS } from "@/lib/chat/sessions/session.ts";
import { readCookie } from "./cookies.ts";

/** The token in a request's session cookie, or null. */
export function readSessionToken(request: Request, isHttps: boolean): string | null {
  return readCookie(request, cookieName(isHttps));
}

/** Hands a browser the token of its session; no script can read it, and no other site's form sends it along. */
export function setSessionToken(headers: Headers, token: string, isHttps: boolean): void {
  headers.append("set-cookie", cookie(token, { isHttps, maxAge: SESSION_LIFETIME_MS / 1000 }));
}

/** Lets a browser forget its session. */
export function clearSessionToken(headers: Headers, isHttps: boolean): void {
  headers.append("set-cookie", cookie("", { isHttps, maxAge: 0 }));
}

function cookie(value: string, { isHttps, maxAge }: { isHttps: boolean; maxAge: number }): string {
  const secure = isHttps ? "; Secure" : "";
  return `${cookieName(isHttps)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The prefix makes browsers refuse the cookie from subdomains and without TLS. */
function cookieName(isHttps: boolean): string {
  return isHttps ? "__Host-sotto_session" : "sotto_session";
}
