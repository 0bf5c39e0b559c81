import { SESSION_LIFETIME_MS } from "@/lib/chat/auth/sessions.ts";
import { readCookie, setCookie } from "./cookies.ts";

/** Returns the token of a request's session cookie, or null. */
export function readSessionToken(request: Request, isHttps: boolean): string | null {
  return readCookie(request, cookieName(isHttps));
}

/** Sets the session cookie. */
export function setSessionToken(headers: Headers, token: string, isHttps: boolean): void {
  const maxAge = SESSION_LIFETIME_MS / 1000;
  setCookie(headers, { name: cookieName(isHttps), value: token, maxAge, secure: isHttps });
}

/** Clears the session cookie. */
export function clearSessionToken(headers: Headers, isHttps: boolean): void {
  setCookie(headers, { name: cookieName(isHttps), value: "", maxAge: 0, secure: isHttps });
}

/** The prefix makes browsers refuse the cookie from subdomains and without TLS. */
function cookieName(isHttps: boolean): string {
  return isHttps ? "__Host-sotto_session" : "sotto_session";
}
