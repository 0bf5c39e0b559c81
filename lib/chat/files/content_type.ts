import mime from "mime-types";

const UNKNOWN_TYPE = "application/octet-stream";
const WELL_FORMED = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/;

/** Content types that browsers may display inline: none that can run scripts. */
const INLINE_TYPES: ReadonlySet<string> = new Set([
  "audio/aac",
  "audio/flac",
  "audio/mp4",
  "audio/mpeg",
  "audio/wav",
  "audio/webm",
  "application/pdf",
  "image/apng",
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
  "text/plain",
  "video/mp4",
  "video/webm",
]);

/**
 * Returns the content type of a file, without parameters: the declared one if usable, else the one of the
 * file's extension, else `application/octet-stream`.
 */
export function detectContentType(declared: string | undefined, name: string): string {
  const [type = ""] = (declared ?? "").toLowerCase().split(";");
  const trimmed = type.trim();
  if (WELL_FORMED.test(trimmed) && trimmed !== UNKNOWN_TYPE) return trimmed;
  return mime.lookup(name) || UNKNOWN_TYPE;
}

/** Returns whether browsers may display a content type inline instead of saving the file. */
export function isInlineContentType(contentType: string): boolean {
  const [type = ""] = contentType.split(";");
  return INLINE_TYPES.has(type);
}

/** Returns whether a content type is that of an image that browsers may display. */
export function isInlineImage(contentType: string): boolean {
  return contentType.startsWith("image/") && isInlineContentType(contentType);
}

/**
 * Adds a charset parameter to `text/plain`, guessed from the file's first bytes. Returns other types
 * unchanged.
 */
export function addCharset(contentType: string, head: Uint8Array): string {
  if (contentType !== "text/plain") return contentType;
  try {
    // `stream` accepts a character that is cut at the end of the head.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return "text/plain; charset=utf-8";
  } catch {
    return "text/plain; charset=windows-1252";
  }
}
