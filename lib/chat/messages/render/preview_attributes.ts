import { isInlineImage, toThumbnailPath, type UploadRecord } from "@/lib/chat/files/model.ts";

/**
 * Returns the attributes of the preview of an upload that a message links by a path; null for an upload that is
 * no image. Animated images are shown as sent, because thumbnails do not move.
 */
export function toPreviewAttributes(
  path: string,
  { content_type, image }: Pick<UploadRecord, "content_type" | "image">,
): Readonly<Record<string, string>> | null {
  if (!isInlineImage(content_type)) return null;
  if (image === undefined) return { src: path };
  return {
    ...(image.is_animated ? { "data-animated": "true" } : {}),
    "data-original-dimensions": `${image.width}x${image.height}`,
    "data-original-content-type": content_type,
    src: image.is_animated ? path : toThumbnailPath(path),
  };
}
