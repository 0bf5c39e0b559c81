import { z } from "zod";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { FlashMessage, FlashUndo } from "../services/admin_session.ts";
import { readCookie, setCookie } from "../api/cookies.ts";

const NAME = "sotto_done";
const MAX_LENGTH = 300;
const SECONDS = 60;

/** Begins a message with a form that reverses the action; no text of a message begins with it. */
const UNDO_MARK = "\t";

const flashMessage = z.object({
  text: z.string(),
  undo: z.object({ path: z.string().startsWith("/admin/"), fields: z.record(z.string(), z.string()) })
    .nullable(),
});

/**
 * Returns the flash message of a request, or null. It travels in a cookie that only this site can set: anyone
 * could write a URL.
 */
export function readFlashMessage(request: Request, isHttps: boolean): FlashMessage | null {
  try {
    const value = decodeURIComponent(readCookie(request, NAME, isHttps) ?? "");
    if (value === "") return null;
    if (!value.startsWith(UNDO_MARK)) return { text: value, undo: null };
    return flashMessage.safeParse(parseJson(value.slice(UNDO_MARK.length))).data ?? null;
  } catch {
    return null;
  }
}

/** Shows a message on the next page, with a button that reverses the action if there is a form for it. */
export function setFlashMessage(
  headers: Headers,
  { text, undo }: { readonly text: string; readonly undo?: FlashUndo | undefined },
  isHttps: boolean,
): void {
  const short = [...text].slice(0, MAX_LENGTH).join("").toWellFormed();
  const value = encodeURIComponent(
    undo === undefined || undo === null ? short : UNDO_MARK + JSON.stringify({ text: short, undo }),
  );
  setCookie(headers, { name: NAME, value, path: "/admin", maxAge: SECONDS }, isHttps);
}

/** Clears the flash message. */
export function clearFlashMessage(headers: Headers, isHttps: boolean): void {
  setCookie(headers, { name: NAME, value: "", path: "/admin", maxAge: 0 }, isHttps);
}
