import { readCookie, setCookie } from "../api/cookies.ts";

const NAME = "sotto_done";
const MAX_LENGTH = 300;
const SECONDS = 60;

/**
 * Returns the flash message of a request, or null. It travels in a cookie that only this site can set: anyone
 * could write a URL.
 */
export function readNotice(request: Request): string | null {
  try {
    return decodeURIComponent(readCookie(request, NAME) ?? "") || null;
  } catch {
    return null;
  }
}

/** Shows a message on the next page. */
export function setNotice(headers: Headers, text: string): void {
  const short = [...text].slice(0, MAX_LENGTH).join("");
  const value = encodeURIComponent(short.toWellFormed());
  setCookie(headers, { name: NAME, value, path: "/admin", maxAge: SECONDS });
}

/** Clears the flash message. */
export function clearNotice(headers: Headers): void {
  setCookie(headers, { name: NAME, value: "", path: "/admin", maxAge: 0 });
}
