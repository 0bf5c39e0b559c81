import { parseCookie, stringifySetCookie } from "cookie";

/** Browsers refuse a cookie with this prefix from another host, without TLS, or with a path other than /. */
const HOST_PREFIX = "__Host-";

/** A cookie to store in a browser. */
export interface SiteCookie {
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
