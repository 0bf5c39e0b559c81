import { readCookie, setCookie } from "../api/cookies.ts";

const NAME = "sotto_done";
const MAX_LENGTH = 300;
const SECONDS = 60;

/**
 * Returns the flash message of a request, or null. It travels in a cookie that only this site can set: anyone
 * could write a URL.
 */
export function readFlashMessage(request: Request, isHttps: boolean): string | null {
  try {
    return decodeURIComponent(readCookie(request, NAME, isHttps) ?? "") || null;
  } catch {
    return null;
  }
}

/** Shows a message on the next page. */
export function setFlashMessage(headers: Headers, text: string, isHttps: boolean): void {
  const short = [...text].slice(0, MAX_LENGTH).join("");
  const value = encodeURIComponent(short.toWellFormed());
  setCookie(headers, { name: NAME, value, path: "/admin", maxAge: SECONDS }, isHttps);
}

/** Clears the flash message. */
export function clearFlashMessage(headers: Headers, isHttps: boolean): void {
  setCookie(headers, { name: NAME, value: "", path: "/admin", maxAge: 0 }, isHttps);
}
