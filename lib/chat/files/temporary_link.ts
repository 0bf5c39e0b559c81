import { createHmac } from "node:crypto";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { requireThumbnail } from "./get_thumbnail.ts";
import { uploadKeys, type UploadRecord } from "./model.ts";

/** Lifetime of a temporary link, in milliseconds. */
const TEMPORARY_MS = 60_000;

/** A file that a temporary link opens: an upload, or its thumbnail in a format. */
export interface LinkedFile {
  readonly upload: UploadRecord;
  readonly format?: string;
}

/**
 * Returns a signed path that opens a file for one minute without authentication.
 * @throws AppError NOT_FOUND for the thumbnail of an upload that has none.
 */
export function createTemporaryPath(
  app: ChatApp,
  realm: RealmRecord,
  { upload, format }: LinkedFile,
): string {
  if (format !== undefined) requireThumbnail({ upload, format });
  const expires = app.clock.now() + TEMPORARY_MS;
  const token = `${upload.id}-${expires}-${signLink(app, realm.id, { id: upload.id, expires })}`;
  const path = `/user_uploads/temporary/${token}/${encodeURIComponent(getPathName(upload))}`;
  return format === undefined ? path : `${path}/${format}`;
}

/**
 * Returns the upload of a temporary link.
 * @throws AppError BAD_REQUEST for a forged or expired token, or a file name that does not match.
 */
export async function getTemporaryUpload(
  app: ChatApp,
  realm: RealmRecord,
  { token, name }: { token: string; name: string },
): Promise<UploadRecord> {
  const [, digits = "", time = "", signature = ""] = /^(\d{1,15})-(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
  const [id, expires] = [Number(digits), Number(time)];
  const isSigned = await equalSecrets(signature, signLink(app, realm.id, { id, expires }));
  const upload = isSigned && expires >= app.clock.now()
    ? await app.reads.read<UploadRecord>(uploadKeys.upload(realm.id, id))
    : null;
  if (upload === null) throw new AppError("BAD_REQUEST", "Invalid token");
  if (name !== getPathName(upload)) throw new AppError("BAD_REQUEST", "Invalid filename");
  return upload;
}

function getPathName({ path_id }: UploadRecord): string {
  return path_id.split("/").at(-1) ?? "";
}

function signLink(
  { secretKey }: ChatApp,
  realmId: number,
  { id, expires }: { id: number; expires: number },
): string {
  return createHmac("sha256", secretKey).update(`file|${realmId}|${id}|${expires}`).digest("base64url");
}
