import { equalSecrets } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import type { FileViewer } from "../files/get_accessible_upload.ts";
import { isAdmin, notLoggedIn } from "../users/model.ts";
import type { ExportArchive } from "./model.ts";
import { readExports } from "./store.ts";

/** The parts of an archive's path. */
export interface ArchivePath {
  readonly realmId: string;
  readonly exportId: string;
  readonly secret: string;
  readonly name: string;
}

/**
 * Returns the archive at a path for an administrator of its organization.
 * @throws AppError NOT_FOUND, also in another organization and after its deletion; UNAUTHORIZED if not signed in;
 * UNAUTHORIZED_PRINCIPAL with status 403 for others.
 */
export async function getExportArchive(
  app: ChatApp,
  { realm, user }: FileViewer,
  { realmId, exportId, secret, name }: ArchivePath,
): Promise<ExportArchive> {
  if (user === null) throw notLoggedIn();
  if (!isAdmin(user)) {
    const message = "You are not authorized to view this file.";
    throw new AppError("UNAUTHORIZED_PRINCIPAL", message, { status: 403 });
  }
  const exports = realmId === String(realm.id) ? await readExports(app, realm.id) : [];
  const archive = exports.find(({ id }) => String(id) === exportId)?.archive ?? null;
  const isFound = await equalSecrets(secret, archive?.secret ?? "") && archive?.name === name;
  if (archive === null || !isFound) {
    throw new AppError("NOT_FOUND", "This file does not exist or has been deleted.");
  }
  return archive;
}
