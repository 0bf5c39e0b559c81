import Negotiator from "negotiator";
import { MAX_ACCEPT } from "@/lib/api/accept.ts";
import { LANGUAGES } from "@/lib/ui/messages/catalogue.ts";

/**
 * Returns the language of an admin page: the one of LANGUAGES that the browser prefers; English elsewhere.
 */
export function adminLanguageOf({ headers, url }: Request): string {
  const accepted = headers.get("accept-language");
  const isRead = accepted !== null && accepted.length <= MAX_ACCEPT && isBelowAdmin(new URL(url).pathname);
  if (!isRead) return "en";
  const negotiator = new Negotiator({ headers: { "accept-language": accepted } });
  return negotiator.language([...LANGUAGES]) ?? "en";
}

/** Whether a path belongs to an admin page. */
export function isBelowAdmin(path: string): boolean {
  return path === "/admin" || path.startsWith("/admin/");
}
