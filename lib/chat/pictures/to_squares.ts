import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import type { Picture, PictureRecord } from "./model.ts";

/** Sides of the stored picture and of its medium version, in pixels. */
const SIZES = [100, 500];

/** A picture as it is stored: its own bytes, followed by those of its medium version. */
export interface SquarePicture {
  readonly picture: Picture;
  readonly record: PictureRecord;
}

/**
 * Crops a caller's picture to squares of 100 and 500 pixels.
 * @throws AppError BAD_REQUEST with this message for a picture that cannot be decoded, and for one with too
 * many pixels; RATE_LIMIT_HIT or UNAVAILABLE while too many are worked on.
 */
export async function toSquares(
  { images }: Pick<ChatApp, "images">,
  { realm, actingUser }: Caller,
  { content, noPicture }: Pick<Picture, "content"> & { readonly noPicture: string },
): Promise<SquarePicture> {
  const [small, medium] = await images.toSquares(`${realm.id}/${actingUser.id}`, content, SIZES) ?? [];
  if (small === undefined || medium === undefined) throw new AppError("BAD_REQUEST", noPicture);
  const both = new Uint8Array(small.length + medium.length);
  both.set(small);
  both.set(medium, small.length);
  const contentType = "image/png";
  return {
    picture: { content: both, contentType },
    record: { content_type: contentType, size: small.length, medium_size: medium.length },
  };
}
