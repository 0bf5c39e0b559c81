import Negotiator from "negotiator";
import { LANGUAGES } from "@/lib/ui/words/catalogue.ts";

/** The language of a page below /admin: the one that its browser wants most among LANGUAGES; English elsewhere. */
export function adminLanguageOf({ headers, url }: Request): string {
  const accepted = headers.get("accept-language");
  if (accepted === null || !isBelowAdmin(new URL(url).pathname)) return "en";
  const negotiator = new Negotiator({ headers: { "accept-language": accepted } });
  return negotiator.language([...LANGUAGES]) ?? "en";
}

/** Whether a path is that of an admin page. */
export function isBelowAdmin(path: string): boolean {
  return path === "/admin" || path.startsWith("/admin/");
}
