import { isSmallEnough, readImageHeader } from "@/lib/images/image_header.ts";
import { isAnimated } from "@/lib/images/is_animated.ts";
import { readBlob } from "@/lib/store/blob.ts";
import type { ChatApp } from "../app.ts";
import { isInlineImage } from "./content_type.ts";
import { MIB, pendingKeys, type UploadImage } from "./model.ts";
import type { UploadBlob } from "./store_upload_blob.ts";

/** Maximum size of an image that is thumbnailed, in bytes; it is decoded in one piece. */
const MAX_IMAGE_BYTES = 20 * MIB;
/** Number of first bytes that are read; photos have previews and color profiles before their dimensions. */
const HEAD_BYTES = MIB;
/** Type of animations that browsers play; their headers are those of PNG images. */
const ANIMATED_PNG = "image/apng";

/** Reads what the first bytes of a file say of it as an image; null for a file that cannot have a thumbnail. */
export async function readUploadImage(
  { store }: Pick<ChatApp, "store">,
  { pending, size }: Pick<UploadBlob, "pending" | "size">,
  contentType: string,
): Promise<UploadImage | null> {
  if (!isInlineImage(contentType) || size > MAX_IMAGE_BYTES) return null;
  const range = { start: 0, end: Math.min(size, HEAD_BYTES) };
  const head = await new Response(readBlob(store.kv, pendingKeys.chunks(pending), range)).bytes();
  const header = readImageHeader(head);
  if (header === null || !isSmallEnough(header)) return null;
  const isOnItsSide = header.orientation >= 5;
  return {
    width: isOnItsSide ? header.height : header.width,
    height: isOnItsSide ? header.width : header.height,
    is_animated: contentType === ANIMATED_PNG || isAnimated(head),
  };
}
