import type { ChatApp } from "../app.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { listClaims } from "../uploads/claims.ts";
import { uploadKeys, type UploadRecord } from "../uploads/upload.ts";
import type { UserRecord } from "../users/user.ts";
import { look, readMessage, type Viewer } from "./access.ts";

/** Uploads that one message links; more are plain links. */
const MAX_LINKED_UPLOADS = 50;
/** Messages that are looked at for one which lets somebody have a file. */
const MAX_LOOKS = 200;

const PREFIX = "/user_uploads/";

/** The ids of the uploads that some paths lead to and a message's author may hand on. */
export async function findLinkedUploads(
  app: ChatApp,
  permissions: PermissionContext,
  { author, paths }: { author: UserRecord; paths: readonly string[] },
): Promise<readonly number[]> {
  const ids = await Promise.all(
    paths.slice(0, MAX_LINKED_UPLOADS).map(async (path) => {
      const upload = await readUploadByPath(app, permissions.realm.id, decode(path).replace(PREFIX, ""));
      return upload !== null && await mayReadUpload(app, permissions, { upload, user: author })
        ? upload.id
        : null;
    }),
  );
  return [...new Set(ids.filter((id) => id !== null))];
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The upload with a path; null where there is none. */
export async function readUploadByPath(
  { reads }: Pick<ChatApp, "reads">,
  realmId: number,
  pathId: string,
): Promise<UploadRecord | null> {
  // The store takes no keys of any length, and no path is longer.
  if (pathId.length > 700) return null;
  const id = await reads.read<number>(uploadKeys.byPath(realmId, pathId));
  return id === null ? null : await reads.read<UploadRecord>(uploadKeys.upload(realmId, id));
}

/** Whether somebody may have a file: it is his, or a message that he may read links it. */
export async function mayReadUpload(
  app: ChatApp,
  permissions: PermissionContext,
  { upload, user }: { upload: UploadRecord; user: Viewer },
): Promise<boolean> {
  if (upload.owner_id === user?.id) return true;
  const ids = await listClaims(app, permissions.realm.id, { id: upload.id, limit: MAX_LOOKS });
  for (const id of ids) {
    const message = await readMessage(app, permissions.realm.id, id);
    if (message !== null && await look(app, permissions, { message, user }) !== null) return true;
  }
  return false;
}
