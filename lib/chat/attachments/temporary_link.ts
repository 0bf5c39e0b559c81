import { createHmac } from "node:crypto";
import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { uploadKeys, type UploadRecord } from "../uploads/upload.ts";

/** How long a temporary link opens, in milliseconds. */
const TEMPORARY_MS = 60_000;

/** A path under which a file can be had for a minute by whoever knows it. */
export function temporaryPath(app: ChatApp, realm: RealmRecord, upload: UploadRecord): string {
  const expires = app.clock.now() + TEMPORARY_MS;
  const token = `${upload.id}-${expires}-${sign(app, realm.id, { id: upload.id, expires })}`;
  return `/user_uploads/temporary/${token}/${encodeURIComponent(lastPart(upload))}`;
}

/**
 * The file behind a temporary link.
 * @throws AppError BAD_REQUEST for one that is forged or has expired, and for another name than the file's.
 */
export async function openTemporary(
  app: ChatApp,
  realm: RealmRecord,
  { token, name }: { token: string; name: string },
): Promise<UploadRecord> {
  const [, digits = "", time = "", signature = ""] = /^(\d{1,15})-(\d{1,15})-([\w-]{43})$/.exec(token) ?? [];
  const [id, expires] = [Number(digits), Number(time)];
  const isSigned = await equalSecrets(signature, sign(app, realm.id, { id, expires }));
  const upload = isSigned && expires >= app.clock.now()
    ? await app.reads.read<UploadRecord>(uploadKeys.upload(realm.id, id))
    : null;
  if (upload === null) throw new AppError("BAD_REQUEST", "Invalid token");
  if (name !== lastPart(upload)) throw new AppError("BAD_REQUEST", "Invalid filename");
  return upload;
}

function lastPart({ path_id }: UploadRecord): string {
  return path_id.split("/").at(-1) ?? "";
}

function sign(
  { secretKey }: ChatApp,
  realmId: number,
  { id, expires }: { id: number; expires: number },
): string {
  return createHmac("sha256", secretKey).update(`file|${realmId}|${id}|${expires}`).digest("base64url");
}
