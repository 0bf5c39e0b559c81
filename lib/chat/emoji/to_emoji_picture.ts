import { isAnimated } from "@/lib/images/is_animated.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Picture } from "../pictures.ts";
import type { Caller } from "../users/model.ts";
import type { RealmEmojiRecord } from "./model.ts";

/** Side of a custom emoji's picture in pixels. */
const SIZE = 64;

/** A custom emoji's picture as it is stored: its own bytes, followed by those of its still picture. */
export interface EmojiPicture {
  readonly picture: Picture;
  readonly fields: Pick<RealmEmojiRecord, "content_type" | "size" | "still_size">;
}

/**
 * Crops a caller's picture to a square of 64 pixels. An animated one stays as it is and gets the square of its
 * first picture as its still picture.
 * @throws AppError BAD_REQUEST for a picture that cannot be decoded, and for one with too many pixels;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many are worked on.
 */
export async function toEmojiPicture(
  { images }: Pick<ChatApp, "images">,
  { realm, actingUser }: Caller,
  picture: Picture,
): Promise<EmojiPicture> {
  const { content, contentType } = picture;
  const [square] = await images.toSquares(`${realm.id}/${actingUser.id}`, content, [SIZE]) ?? [];
  if (square === undefined) {
    throw new AppError("BAD_REQUEST", "Could not decode image; did you upload an image file?");
  }
  if (!isAnimated(content)) {
    return {
      picture: { content: square, contentType: "image/png" },
      fields: { content_type: "image/png", size: square.length },
    };
  }
  const both = new Uint8Array(content.length + square.length);
  both.set(content);
  both.set(square, content.length);
  return {
    picture: { content: both, contentType },
    fields: { content_type: contentType, size: content.length, still_size: square.length },
  };
}
