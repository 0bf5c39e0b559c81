import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { Viewer } from "../messages/model.ts";
import { canReadUpload, readUploadByPath } from "../messages/access.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { RealmRecord } from "../organizations/model.ts";
import type { UploadRecord } from "./model.ts";
import { notLoggedIn } from "../users/model.ts";

/** Requester of a file in an organization; `user` is null if not signed in. */
export interface FileViewer {
  readonly realm: RealmRecord;
  readonly user: Viewer;
}

/**
 * Returns the upload at a path if the viewer can access it.
 * @throws AppError NOT_FOUND; UNAUTHORIZED if not signed in; UNAUTHORIZED_PRINCIPAL with status 403 without
 * access.
 */
export async function getAccessibleUpload(
  app: ChatApp,
  { realm, user }: FileViewer,
  pathId: string,
): Promise<UploadRecord> {
  const upload = await readUploadByPath(app, realm.id, pathId);
  if (upload === null && user !== null) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  const permissions = await peekPermissionContext(app, realm);
  if (upload !== null && await canReadUpload(app, permissions, { upload, user })) return upload;
  if (user === null) throw notLoggedIn();
  throw new AppError("UNAUTHORIZED_PRINCIPAL", "You are not authorized to view this file.", { status: 403 });
}
