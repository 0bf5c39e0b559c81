/** Returns the value of a request's cookie, or null without one. */
export function readCookie(request: Request, name: string): string | null {
  const prefix = `${name}=`;
  const cookies = request.headers.get("cookie")?.split(";") ?? [];
  const found = cookies.map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(prefix));
  return found === undefined || found.length === prefix.length ? null : found.slice(prefix.length);
}
