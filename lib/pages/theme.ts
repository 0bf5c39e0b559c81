import { type Theme, THEMES } from "@/lib/ui/themes.ts";
import { readCookie } from "../api/cookies.ts";

const NAME = "sotto_theme";
const YEAR_SECONDS = 31_536_000;

/** Returns the theme of a browser's cookie; the system's without one. */
export function readTheme(request: Request): Theme {
  return toTheme(readCookie(request, NAME));
}

/** Returns the theme of a name; the system's for an unknown name. */
export function toTheme(name: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? "system";
}

/** Stores the theme in a browser's cookie. */
export function setTheme(headers: Headers, theme: Theme): void {
  const age = theme === "system" ? 0 : YEAR_SECONDS;
  headers.append("set-cookie", `${NAME}=${theme}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax`);
}
