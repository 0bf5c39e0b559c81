/** Returns the key of an `Authorization: Bearer KEY` header, or null without one. */
export function readBearer(request: Request): string | null {
  const match = /^Bearer +([^\s]+) *$/i.exec(request.headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}
