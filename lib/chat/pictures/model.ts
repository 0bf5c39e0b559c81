import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";

/** An uploaded picture. */
export interface Picture {
  readonly content: Uint8Array;
  /** Media type, detected from the first bytes. */
  readonly contentType: string;
}

/** A stored picture of a user or an organization. */
export interface PictureRecord {
  readonly content_type: string;
  /** Size in bytes. */
  readonly size: number;
  /** Size of the medium version, which follows the picture's bytes; missing if it is the picture itself. */
  readonly medium_size?: number;
}

/** A stored picture, opened for reading; `size` in bytes. */
export interface PictureStream {
  readonly contentType: string;
  readonly size: number;
  readonly content: ReadableStream<Uint8Array>;
}

/** Maximum size of a picture, in bytes. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
/** Error message for a larger picture. */
export const PICTURE_TOO_LARGE = "Uploaded file is larger than the allowed limit of 5 MiB";

const PLACE = "picture_chunk";

/** Keys of the pictures of users and organizations in the store. */
export const pictureKeys = {
  /** Key part of the pictures' chunks, after the organization's id. */
  place: PLACE,
  pictures: (realmId: number): Key => [realmId, "picture"],
  picture: (realmId: number, id: string): Key => [realmId, "picture", id],
  chunks: (realmId: number, id: string): Key => [realmId, PLACE, id],
};

/** First bytes of the accepted picture formats; -1 matches any byte. */
const SIGNATURES: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50]],
];

/** Detects the media type of a picture from its first bytes; returns null for any other file. */
function detectPictureType(content: Uint8Array): string | null {
  const found = SIGNATURES.find(([, bytes]) =>
    content.length > bytes.length && bytes.every((byte, index) => byte === -1 || byte === content[index])
  );
  return found?.[0] ?? null;
}

/**
 * Returns the only picture of a request.
 * @throws AppError BAD_REQUEST with these messages unless exactly one picture was sent, and for one that is
 * too large.
 */
export function requirePicture(
  files: readonly Uint8Array[],
  messages: { readonly exactlyOne: string; readonly noPicture: string },
): Picture {
  const [content, ...others] = files;
  if (content === undefined || others.length > 0) throw new AppError("BAD_REQUEST", messages.exactlyOne);
  if (content.length > MAX_PICTURE_BYTES) throw new AppError("BAD_REQUEST", PICTURE_TOO_LARGE);
  const contentType = detectPictureType(content);
  if (contentType === null) throw new AppError("BAD_REQUEST", messages.noPicture);
  return { content, contentType };
}
