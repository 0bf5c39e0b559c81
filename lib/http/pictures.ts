import type { OpenedPicture } from "@/lib/chat/emoji/picture.ts";
import { AppError } from "@/lib/core/errors.ts";
import { Answer } from "./answer.ts";

/** A picture's address never shows another one. */
const CACHE = "public, max-age=31536000, immutable";

/** A drawn picture, for good. */
export function drawingAnswer(svg: string): Answer {
  return new Answer(200, svg, { "content-type": "image/svg+xml", "cache-control": CACHE });
}

/** A picture that somebody sent, for good; it must never run as anything else. */
export function pictureAnswer({ contentType, size, content }: OpenedPicture): Answer {
  return new Answer(200, content, {
    "cache-control": CACHE,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "content-type": contentType,
    "content-length": String(size),
  });
}

/**
 * A number in a picture's path.
 * @throws AppError NOT_FOUND.
 */
export function pathNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError("NOT_FOUND", "Nothing is here.");
  return Number(text);
}
