import Negotiator from "negotiator";
import { LANGUAGES } from "@/lib/ui/messages/catalogue.ts";

/**
 * Returns the language of an admin page: the one of LANGUAGES that the browser prefers; English elsewhere.
 */
export function adminLanguageOf({ headers, url }: Request): string {
  const accepted = headers.get("accept-language");
  if (accepted === null || !isBelowAdmin(new URL(url).pathname)) return "en";
  const negotiator = new Negotiator({ headers: { "accept-language": accepted } });
  return negotiator.language([...LANGUAGES]) ?? "en";
}

/** Whether a path belongs to an admin page. */
export function isBelowAdmin(path: string): boolean {
  return path === "/admin" || path.startsWith("/admin/");
}
