import type { PictureStream } from "@/lib/chat/organization/pictures.ts";
import { AppError } from "@/lib/core/errors.ts";
import { EndpointResponse } from "../response.ts";

/** A picture's address never serves another picture. */
const CACHE = "public, max-age=31536000, immutable";

/** Responds with a drawn picture, as PNG, that clients may cache for a year. */
export function drawingResponse(png: Uint8Array<ArrayBuffer>): EndpointResponse {
  return new EndpointResponse(200, png, { "content-type": "image/png", "cache-control": CACHE });
}

/**
 * Responds with an uploaded picture that clients may cache for a year. Its headers prevent execution as
 * a script or a page.
 */
export function pictureResponse({ contentType, size, content }: PictureStream): EndpointResponse {
  return new EndpointResponse(200, content, {
    "cache-control": CACHE,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "content-type": contentType,
    "content-length": String(size),
  });
}

/**
 * Parses a number in a picture's path.
 * @throws AppError NOT_FOUND.
 */
export function pathNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError("NOT_FOUND", "Nothing is here.");
  return Number(text);
}
