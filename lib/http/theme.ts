import { type Theme, THEMES } from "@/lib/ui/themes.ts";
import { readCookie } from "./cookies.ts";

const NAME = "sotto_theme";
const YEAR_SECONDS = 31_536_000;

/** The colours that a browser's cookie asks for; those of its system where there is none. */
export function readTheme(request: Request): Theme {
  return toTheme(readCookie(request, NAME));
}

/** The colours of a name; those of the system for any other. */
export function toTheme(name: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === name) ?? "system";
}

/** Lets a browser ask for these colours from now on. */
export function setTheme(headers: Headers, theme: Theme): void {
  const age = theme === "system" ? 0 : YEAR_SECONDS;
  headers.append("set-cookie", `${NAME}=${theme}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax`);
}
