import type { ChatApp } from "../app.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { listReferences } from "../files/store.ts";
import { uploadKeys, type UploadRecord } from "../files/model.ts";
import type { UserRecord } from "../users/model.ts";
import { toVisibleMessage } from "./access.ts";
import type { Viewer } from "./model.ts";
import { readMessage } from "./store.ts";

/** Maximum number of uploads that one message references; further ones are plain links. */
const MAX_LINKED_UPLOADS = 50;
/** Maximum number of messages checked for one that grants access to an upload. */
const MAX_REFERENCES_CHECKED = 200;

const UPLOADS_PREFIX = "/user_uploads/";

/** Returns the uploads behind some paths that the author can read, by path. */
export async function findLinkedUploads(
  app: ChatApp,
  permissions: PermissionContext,
  { author, paths }: { author: UserRecord; paths: readonly string[] },
): Promise<ReadonlyMap<string, UploadRecord>> {
  const found = await Promise.all(
    paths.slice(0, MAX_LINKED_UPLOADS).map(async (path) => {
      const upload = await readUploadByPath(
        app,
        permissions.realm.id,
        decodePath(path).replace(UPLOADS_PREFIX, ""),
      );
      return upload !== null && await canReadUpload(app, permissions, { upload, user: author })
        ? [path, upload] as const
        : null;
    }),
  );
  return new Map(found.filter((entry) => entry !== null));
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Reads the upload with a path; null when there is none. */
export async function readUploadByPath(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  pathId: string,
): Promise<UploadRecord | null> {
  // Store keys have a maximum length; no valid path reaches it.
  if (pathId.length > 700) return null;
  const id = await reads.read<number>(uploadKeys.byPath(realmId, pathId));
  return id === null ? null : await reads.read<UploadRecord>(uploadKeys.upload(realmId, id));
}

/** Returns whether a user owns an upload or can see a message that links it. */
export async function canReadUpload(
  app: ChatApp,
  permissions: PermissionContext,
  { upload, user }: { upload: UploadRecord; user: Viewer },
): Promise<boolean> {
  if (upload.owner_id === user?.id) return true;
  const ids = await listReferences(app, permissions.realm.id, {
    id: upload.id,
    limit: MAX_REFERENCES_CHECKED,
  });
  for (const id of ids) {
    const message = await readMessage(app, permissions.realm.id, id);
    if (message !== null && await toVisibleMessage(app, permissions, { message, user }) !== null) return true;
  }
  return false;
}
