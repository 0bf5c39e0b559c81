import { readCookie } from "./cookies.ts";

const NAME = "sotto_done";
const MAX_LENGTH = 300;
const SECONDS = 60;

/**
 * What was done by the form that led to this page, in the words that it was said in; null where there was none. It comes
 * by a cookie that this site alone can set: what an address says is anybody's.
 */
export function readNotice(request: Request): string | null {
  try {
    return decodeURIComponent(readCookie(request, NAME) ?? "") || null;
  } catch {
    return null;
  }
}

/** Says on the next page what was done. */
export function setNotice(headers: Headers, text: string): void {
  const short = [...text].slice(0, MAX_LENGTH).join("");
  const value = encodeURIComponent(short.toWellFormed());
  headers.append("set-cookie", `${NAME}=${value}; Path=/admin; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax`);
}

/** Lets a browser forget what was said. */
export function clearNotice(headers: Headers): void {
  headers.append("set-cookie", `${NAME}=; Path=/admin; Max-Age=0; HttpOnly; SameSite=Lax`);
}
