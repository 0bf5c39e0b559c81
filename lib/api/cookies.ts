import { parseCookie, stringifySetCookie } from "cookie";
import { SESSION_LIFETIME_MS } from "@/lib/chat/people/auth/sessions.ts";

/** Browsers refuse a cookie with this prefix from another host, without TLS, or with a path other than /. */
const HOST_PREFIX = "__Host-";

/** A cookie to store in a browser. */
interface SiteCookie {
  /** Name without the prefix that it gets under https. */
  readonly name: string;
  /** Characters that a cookie may contain; others are encoded by the caller. */
  readonly value: string;
  /** Time in seconds until the browser removes the cookie; 0 removes it at once. */
  readonly maxAge: number;
  /** Without https, paths that the cookie is sent to begin with this one; all by default. */
  readonly path?: string;
}

/** Returns the value of a request's cookie as it was received, or null without one. */
export function readCookie(request: Request, name: string, isHttps: boolean): string | null {
  const cookies = parseCookie(request.headers.get("cookie") ?? "", { decode: asReceived });
  return cookies[toCookieName(name, isHttps)] || null;
}

/** Stores a cookie in a browser; scripts cannot read it, and forms of other sites do not send it. */
export function setCookie(
  headers: Headers,
  { name, value, maxAge, path = "/" }: SiteCookie,
  isHttps: boolean,
): void {
  const cookie = {
    name: toCookieName(name, isHttps),
    value,
    maxAge,
    path: isHttps ? "/" : path,
    httpOnly: true,
    secure: isHttps,
    sameSite: "lax",
  } as const;
  headers.append("set-cookie", stringifySetCookie(cookie, { encode: asReceived }));
}

/** Returns the name that a cookie has in browsers. */
export function toCookieName(name: string, isHttps: boolean): string {
  return isHttps ? HOST_PREFIX + name : name;
}

function asReceived(value: string): string {
  return value;
}

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
