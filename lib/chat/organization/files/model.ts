import mime from "mime-types";
import { z } from "zod";
import { codePointLength, normalizeText } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";

/** An uploaded file, written after all of its bytes, so an interrupted upload leaves no record. */
export interface UploadRecord {
  readonly id: number;
  readonly owner_id: number;
  /** Part of the URL after `/user_uploads/`: the organization's id, two random segments, the path name. */
  readonly path_id: string;
  /** Display name: the client's file name without folders. Never part of a path. */
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly content_type: string;
  /** Id of the stored bytes. */
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Missing for files that cannot have a thumbnail, and for uploads of versions up to 0.5. */
  readonly image?: UploadImage;
}

/** An uploaded image, as its first bytes describe it. */
export interface UploadImage {
  /** Dimensions of the upright image, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly is_animated: boolean;
  /** Missing until it is requested for the first time. */
  readonly thumbnail?: ThumbnailRecord;
  /** Time at which the image could not be decoded, in milliseconds since 1970 UTC. */
  readonly failed_at?: number;
}

/** A stored thumbnail in the format THUMBNAIL_FORMAT. */
export interface ThumbnailRecord {
  /** Id of the stored bytes. */
  readonly blob: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The format of thumbnails, as clients receive it; `name` is the end of a thumbnail's path. */
export const THUMBNAIL_FORMAT = {
  name: "840x560.webp",
  max_width: 840,
  max_height: 560,
  format: "webp",
  animated: false,
} as const;

/** Path of thumbnails; the rest of the upload's path and the name of a format follow. */
const THUMBNAILS = "/user_uploads/thumbnail/";

/** Returns the path of the thumbnail of an upload with a path `/user_uploads/…`. */
export function toThumbnailPath(path: string): string {
  return `${path.replace("/user_uploads/", THUMBNAILS)}/${THUMBNAIL_FORMAT.name}`;
}

export interface ResumableUploadRecord {
  /** 32 random hexadecimal digits. */
  readonly id: string;
  readonly owner_id: number;
  /** Size of the complete file, in bytes. */
  readonly size: number;
  /** Number of bytes stored so far. */
  readonly offset: number;
  /** Metadata as the client sent it. */
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly pending: PendingBlob;
  /** Milliseconds since 1970 UTC. */
  readonly created_at: number;
  /** Id of the upload created from the complete file; null until then. */
  readonly upload_id: number | null;
}

/** Space that one unfinished resumable upload reserves. */
export interface ReservationRecord {
  readonly owner_id: number;
  readonly bytes: number;
}

/** Space that the unfinished resumable uploads of one account reserve. */
export interface AccountReservations {
  readonly uploads: number;
  readonly bytes: number;
}

/** Resumable upload that a reservation belongs to; `createdAt` in milliseconds since 1970 UTC. */
export interface ReservationId {
  readonly realmId: number;
  readonly id: string;
  readonly createdAt: number;
}

/** First part of the keys of file chunks, after the organization's id. */
const CHUNKS = "upload_chunk";

/** Bytes that are being stored, or that an interruption left behind. */
export interface PendingBlob {
  readonly realm_id: number;
  readonly blob: string;
  /** Milliseconds since 1970 UTC. */
  readonly started_at: number;
  /** First part of the bytes' keys after the organization's id; that of files by default. */
  readonly place?: string;
  /** Whether the bytes are being removed. */
  readonly is_dropped?: boolean;
}

/** Keys of blobs without a record, by the time when their writing began, and of their chunks. */
export const pendingKeys = {
  pending: ["upload_pending"],
  pendingSince: ({ started_at, realm_id, blob }: PendingBlob): Key => [
    "upload_pending",
    started_at,
    realm_id,
    blob,
  ],
  chunks: ({ realm_id, blob, place = CHUNKS }: PendingBlob): Key => [realm_id, place, blob],
} as const;

/** Owner of new bytes, and the time in milliseconds at which their writing begins. */
export interface NewBlob {
  readonly realmId: number;
  readonly now: number;
  /** First part of the bytes' keys after the organization's id; that of files by default. */
  readonly place?: string;
}

/** Returns a name for bytes that nothing is stored under yet. */
export function namePending({ realmId, now, place }: NewBlob): PendingBlob {
  const pending = { realm_id: realmId, blob: crypto.randomUUID(), started_at: now };
  return place === undefined ? pending : { ...pending, place };
}

export const uploadKeys = {
  /** Key part of the chunks of files and thumbnails, after the organization's id. */
  place: CHUNKS,
  uploads: (realmId: number): Key => [realmId, "upload"],
  upload: (realmId: number, id: number): Key => [realmId, "upload", id],
  byPath: (realmId: number, pathId: string): Key => [realmId, "upload_by_path", pathId],
  ofOwner: (realmId: number, ownerId: number): Key => [realmId, "upload_of", ownerId],
  /** Attachment references: ids of the messages whose current content links an upload. */
  references: (realmId: number, uploadId: number): Key => [realmId, "upload_claim", uploadId],
  reference: (realmId: number, uploadId: number, messageId: number): Key => [
    realmId,
    "upload_claim",
    uploadId,
    messageId,
  ],
  /** Time of the newest reference; read by the sweeper so that a concurrent reference makes it retry. */
  referencedAt: (realmId: number, uploadId: number): Key => [realmId, "upload_claimed_at", uploadId],
  /** Uploads that may have no reference, ordered by the time since which that is so. */
  unreferenced: ["upload_unclaimed"],
  unreferencedSince: (
    since: number,
    realmId: number,
    id: number,
  ): Key => ["upload_unclaimed", since, realmId, id],
  /** Chunks of the bytes of a file or a thumbnail. */
  blob: (realmId: number, blob: string): Key => [realmId, CHUNKS, blob],
  /** A resumable upload that is unfinished, or was finished recently. */
  resumable: (realmId: number, id: string): Key => [realmId, "resumable", id],
  /** Size of all uploads of an organization, in bytes. A checked number, because the quota depends on it. */
  spaceUsed: (realmId: number): Key => [realmId, "upload_space"],
  /** Size that the unfinished resumable uploads of an organization will have, in bytes; checked as well. */
  spaceReserved: (realmId: number): Key => [realmId, "upload_space_reserved"],
  reservedBy: (realmId: number, ownerId: number): Key => [realmId, "upload_reserved_by", ownerId],
  /** Reservations of unfinished resumable uploads, ordered by the time when the upload was created. */
  reservations: ["upload_reservation"],
  reservation: ({ createdAt, realmId, id }: ReservationId): Key => [
    "upload_reservation",
    createdAt,
    realmId,
    id,
  ],
} as const;

/** Time after which bytes without a record are removed, in milliseconds. */
export const PENDING_MS = 86_400_000;
/** Time that a resumable upload may take, in milliseconds; an unfinished one is removed afterwards. */
export const RESUMABLE_UPLOAD_MS = PENDING_MS;
export const MIB = 1024 * 1024;

/** Returns the name of the in-process lock for changes of an organization's used space. */
export function uploadLock(realmId: number): string {
  return `uploads ${realmId}`;
}

/** Converts an upload for its owner; `create_time` is in seconds since 1970 UTC. */
export function toAttachment(
  { id, name, path_id, size, created_at }: UploadRecord,
  messageIds: readonly number[],
) {
  return {
    id,
    name,
    path_id,
    size,
    create_time: Math.floor(created_at / 1000),
    message_ids: messageIds,
  };
}

/** Name of a file whose own name is empty or unusable. */
const DEFAULT_NAME = "uploaded-file";
/** Maximum length of a display name, in code points. */
const MAX_NAME_LENGTH = 255;
/** Maximum length of a path name, in bytes of UTF-8. Keys of the store are limited in size. */
const MAX_PATH_NAME_BYTES = 300;

/** Returns the display name of a file: no folders, control characters or directional formatting. */
export function toDisplayName(sent: string): string {
  const base = decodeName(sent).split(/[/\\]/).at(-1) ?? "";
  // Directional formatting can disguise a name; NUL and line breaks are not allowed in headers.
  const clean = base.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "").toWellFormed();
  const short = codePointLength(clean) > MAX_NAME_LENGTH ? truncateName(clean) : clean;
  return short === "" ? DEFAULT_NAME : short;
}

/** Returns a file's name for its URL: letters and digits of any script, dots, hyphens and underscores. */
export function toPathName(name: string): string {
  const clean = normalizeText(name, "NFKC").replace(/[^\p{L}\p{M}\p{N}_\s.-]/gu, "").trim().replace(
    /[-\s]+/g,
    "-",
  );
  if (/^\.{0,2}$/.test(clean)) return DEFAULT_NAME;
  const { length } = new TextEncoder().encode(clean);
  return length > MAX_PATH_NAME_BYTES ? `${DEFAULT_NAME}${getExtension(clean)}` : clean;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function truncateName(name: string): string {
  const extension = getExtension(name);
  return [...name].slice(0, MAX_NAME_LENGTH - extension.length).join("") + extension;
}

function getExtension(name: string): string {
  return /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
}

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

/** Returns the declared content type if usable, else that of the extension, without parameters. */
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

/** Adds the charset that the first bytes suggest to `text/plain`; other types stay. */
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

/** Response of `POST /user_uploads`. */
export const uploadedSchema = z.object({
  url: z.string().meta({ description: "Path to use in messages: `[name](url)`." }),
  uri: z.string().meta({ deprecated: true }),
  filename: z.string(),
});

export const temporaryLinkSchema = z.object({ url: z.string() });

export const attachmentSchema = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string().meta({ description: "Part of the file's URL after `/user_uploads/`." }),
  size: z.int().meta({ description: "Size in bytes." }),
  create_time: z.int().meta({ description: "Seconds since 1970 UTC." }),
  message_ids: z.array(z.int()),
});

export const attachmentsSchema = z.object({
  attachments: z.array(attachmentSchema),
  upload_space_used: z.int().meta({ description: "Total size of the organization's uploads, in bytes." }),
});
