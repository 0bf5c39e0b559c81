import mime from "mime-types";

const UNKNOWN = "application/octet-stream";
const WELL_FORMED = /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}$/;

/** What browsers may show in place: nothing that runs. */
const SHOWN: ReadonlySet<string> = new Set([
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

/** A file's type: the one that it was sent with, else what its name says, else unknown bytes; without parameters. */
export function contentTypeOf(sent: string | undefined, name: string): string {
  const [type = ""] = (sent ?? "").toLowerCase().split(";");
  const trimmed = type.trim();
  if (WELL_FORMED.test(trimmed) && trimmed !== UNKNOWN) return trimmed;
  return mime.lookup(name) || UNKNOWN;
}

/** Whether a browser may show a file of this type rather than save it. */
export function isShownInPlace(contentType: string): boolean {
  const [type = ""] = contentType.split(";");
  return SHOWN.has(type);
}

/** The type of a text with its character set, as far as its first bytes tell; other types stay as they are. */
export function withCharset(contentType: string, start: Uint8Array): string {
  if (contentType !== "text/plain") return contentType;
  try {
    // A character may be cut at the end of what is looked at.
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return "text/plain; charset=utf-8";
  } catch {
    return "text/plain; charset=windows-1252";
  }
}
