import { SESSION_LIFETIME_MS } from "@/lib/chat/auth/sessions.ts";
import { readCookie } from "./cookies.ts";

/** Returns the token of a request's session cookie, or null. */
export function readSessionToken(request: Request, isHttps: boolean): string | null {
  return readCookie(request, cookieName(isHttps));
}

/** Sets the session cookie; scripts cannot read it, and forms of other sites do not send it. */
export function setSessionToken(headers: Headers, token: string, isHttps: boolean): void {
  headers.append("set-cookie", cookie(token, { isHttps, maxAge: SESSION_LIFETIME_MS / 1000 }));
}

/** Clears the session cookie. */
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
