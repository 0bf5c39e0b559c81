import { readCookie } from "../api/cookies.ts";

const NAME = "sotto_keys";
const YEAR_SECONDS = 31_536_000;

/** Whether single-key shortcuts are on in this browser, which is the default. */
export function readSingleKeys(request: Request): boolean {
  return readCookie(request, NAME) !== "off";
}

/** Turns single-key shortcuts on or off in this browser. */
export function setSingleKeys(headers: Headers, areOn: boolean): void {
  const [value, age] = areOn ? ["", 0] : ["off", YEAR_SECONDS];
  headers.append("set-cookie", `${NAME}=${value}; Path=/admin; Max-Age=${age}; HttpOnly; SameSite=Lax`);
}
