import { safePath } from "./same_origin.ts";

/** The path of the page that a form was sent from, so that one comes back to it; `otherwise` where that is not told. */
export function returnToOf({ headers }: Request, otherwise: string): string {
  const url = URL.parse(headers.get("referer") ?? "");
  return safePath(url === null ? null : url.pathname + url.search, otherwise);
}
