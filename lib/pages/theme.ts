import { type Theme, THEMES } from "@/lib/ui/themes.ts";
import { readCookie, setCookie } from "../api/cookies.ts";

const NAME = "sotto_theme";
const YEAR_SECONDS = 31_536_000;

/** Returns the theme of a browser's cookie; the system's without one. */
export function readTheme(request: Request, isHttps: boolean): Theme {
  return toTheme(readCookie(request, NAME, isHttps));
}

/** Returns the theme of a name; the system's for an unknown name. */
export function toTheme(name: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? "system";
}

/** Stores the theme in a browser's cookie. */
export function setTheme(headers: Headers, theme: Theme, isHttps: boolean): void {
  const maxAge = theme === "system" ? 0 : YEAR_SECONDS;
  setCookie(headers, { name: NAME, value: theme, maxAge }, isHttps);
}
