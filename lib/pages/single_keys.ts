import { readCookie, setCookie } from "../api/cookies.ts";

const NAME = "sotto_keys";
const YEAR_SECONDS = 31_536_000;

/** Whether single-key shortcuts are on in this browser, which is the default. */
export function readSingleKeys(request: Request, isHttps: boolean): boolean {
  return readCookie(request, NAME, isHttps) !== "off";
}

/** Turns single-key shortcuts on or off in this browser. */
export function setSingleKeys(headers: Headers, areOn: boolean, isHttps: boolean): void {
  const stored = areOn ? { value: "", maxAge: 0 } : { value: "off", maxAge: YEAR_SECONDS };
  setCookie(headers, { name: NAME, path: "/admin", ...stored }, isHttps);
}
