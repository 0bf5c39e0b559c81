import type { BodySource } from "@/lib/core/body_arrival.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import {
  createUpload,
  type ReceivedFile,
  storeUploadBlob,
  uploadTooLarge,
} from "@/lib/chat/files/create_upload.ts";
import { MIB } from "@/lib/chat/files/model.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { abandonPending } from "@/lib/chat/pending_blobs.ts";
import { receiveFile } from "./upload_body.ts";

/** Size of a multipart body besides its file, in bytes. */
const OVERHEAD_BYTES = MIB;

/**
 * Stores the one file of a request and returns its path.
 * @throws AppError REALM_UPLOAD_QUOTA, REQUEST_TIMEOUT, or BAD_REQUEST for no file, several files, or one
 * that is too large.
 */
export async function uploadFile(
  app: ChatApp,
  uploader: Caller,
  { source, ignore }: { source: BodySource; ignore: (name: string) => void },
): Promise<{ url: string; uri: string; filename: string }> {
  const { file, stored } = await receiveFile(source, {
    maxBytes: app.config.uploadMaxMib * MIB + OVERHEAD_BYTES,
    tooLarge: () => uploadTooLarge(app),
    noFile: () => new AppError("BAD_REQUEST", "You must specify a file to upload"),
    tooMany: () => new AppError("BAD_REQUEST", "You may only upload one file at a time"),
    ignore,
    store: async (file: ReceivedFile) => ({
      file,
      stored: await storeUploadBlob(app, uploader.realm.id, file.content),
    }),
    undo: ({ stored }) => abandonPending(app.store, stored.pending),
  });
  const upload = await createUpload(app, uploader, { stored, file });
  const url = `/user_uploads/${upload.path_id}`;
  return { url, uri: url, filename: upload.name };
}
