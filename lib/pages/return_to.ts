import { safePath } from "../api/same_origin.ts";

/**
 * Returns the path of the page that a form was sent from; `otherwise` when the browser does not report it.
 */
export function returnToOf({ headers }: Request, otherwise: string): string {
  const url = URL.parse(headers.get("referer") ?? "");
  return safePath(url === null ? null : url.pathname + url.search, otherwise);
}
