import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Viewer } from "../messages/access.ts";
import { mayReadUpload, readUploadByPath } from "../messages/linked_uploads.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UploadRecord } from "../uploads/upload.ts";
import { notLoggedIn } from "../users/rights.ts";

/** Who asks for a file. */
export interface FileViewer {
  readonly realm: RealmRecord;
  readonly user: Viewer;
}

/**
 * A file for somebody who may have it.
 * @throws AppError NOT_FOUND; UNAUTHORIZED for strangers, UNAUTHORIZED_PRINCIPAL with status 403 for others.
 */
export async function openFile(
  app: ChatApp,
  { realm, user }: FileViewer,
  pathId: string,
): Promise<UploadRecord> {
  const upload = await readUploadByPath(app, realm.id, pathId);
  if (upload === null && user !== null) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  const permissions = await peekPermissionContext(app, realm);
  if (upload !== null && await mayReadUpload(app, permissions, { upload, user })) return upload;
  if (user === null) throw notLoggedIn();
  throw new AppError("UNAUTHORIZED_PRINCIPAL", "You are not authorized to view this file.", { status: 403 });
}
