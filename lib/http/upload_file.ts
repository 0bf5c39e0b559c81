import type { ChatApp } from "@/lib/chat/app.ts";
import { keepUpload, type SentFile, storeBytes, tooLarge } from "@/lib/chat/uploads/store_upload.ts";
import { MIB } from "@/lib/chat/uploads/upload.ts";
import type { Caller } from "@/lib/chat/users/caller.ts";
import { AppError } from "@/lib/core/errors.ts";
import { abandonPending } from "@/lib/kv/pending_blob.ts";
import { receiveFile } from "./upload_body.ts";

/** What a multipart body takes beside its file, in bytes. */
const OVERHEAD_BYTES = MIB;

/**
 * Stores the one file of a request and gives where it is.
 * @throws AppError REALM_UPLOAD_QUOTA, REQUEST_TIMEOUT, or BAD_REQUEST for no file, several, and one that is too large.
 */
export async function uploadFile(
  app: ChatApp,
  uploader: Caller,
  { request, ignore }: { request: Request; ignore: (name: string) => void },
): Promise<{ url: string; uri: string; filename: string }> {
  const { file, stored } = await receiveFile(request, {
    maxBytes: app.config.uploadMaxMib * MIB + OVERHEAD_BYTES,
    tooLarge: () => tooLarge(app),
    noFile: () => new AppError("BAD_REQUEST", "You must specify a file to upload"),
    tooMany: () => new AppError("BAD_REQUEST", "You may only upload one file at a time"),
    ignore,
    store: async (file: SentFile) => ({
      file,
      stored: await storeBytes(app, uploader.realm.id, file.content),
    }),
    undo: ({ stored }) => abandonPending(app.store, stored.pending),
  });
  const upload = await keepUpload(app, uploader, { stored, file });
  const url = `/user_uploads/${upload.path_id}`;
  return { url, uri: url, filename: upload.name };
}
