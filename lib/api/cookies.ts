import { parseCookie, stringifySetCookie } from "cookie";

/** A cookie to store in a browser. */
export interface SiteCookie {
  readonly name: string;
  /** Characters that a cookie may contain; others are encoded by the caller. */
  readonly value: string;
  /** Time in seconds until the browser removes the cookie; 0 removes it at once. */
  readonly maxAge: number;
  /** Paths that the cookie is sent to begin with this one; all by default. */
  readonly path?: string;
  /** Whether the cookie is sent over TLS only. */
  readonly secure?: boolean;
}

/** Returns the value of a request's cookie as it was received, or null without one. */
export function readCookie(request: Request, name: string): string | null {
  const cookies = parseCookie(request.headers.get("cookie") ?? "", { decode: asReceived });
  return cookies[name] || null;
}

/** Stores a cookie in a browser; scripts cannot read it, and forms of other sites do not send it. */
export function setCookie(headers: Headers, { path = "/", ...cookie }: SiteCookie): void {
  const attributes = { path, httpOnly: true, sameSite: "lax" } as const;
  headers.append("set-cookie", stringifySetCookie({ ...cookie, ...attributes }, { encode: asReceived }));
}

function asReceived(value: string): string {
  return value;
}
