import { SESSION_LIFETIME_MS } from "@/lib/chat/auth/sessions.ts";
import { readCookie, setCookie, toCookieName } from "./cookies.ts";

const NAME = "sotto_session";

/** Returns the name of the session cookie. */
export function sessionCookieName(isHttps: boolean): string {
  return toCookieName(NAME, isHttps);
}

/** Returns the token of a request's session cookie, or null. */
export function readSessionToken(request: Request, isHttps: boolean): string | null {
  return readCookie(request, NAME, isHttps);
}

/** Sets the session cookie. */
export function setSessionToken(headers: Headers, token: string, isHttps: boolean): void {
  setCookie(headers, { name: NAME, value: token, maxAge: SESSION_LIFETIME_MS / 1000 }, isHttps);
}

/** Clears the session cookie. */
export function clearSessionToken(headers: Headers, isHttps: boolean): void {
  setCookie(headers, { name: NAME, value: "", maxAge: 0 }, isHttps);
}
