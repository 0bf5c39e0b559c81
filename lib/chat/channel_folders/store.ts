import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { sendEvent } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import { folderKeys, type FolderPlace, type FolderRecord } from "./folder.ts";

/**
 * A folder as a transaction sees it, archived or not.
 * @throws AppError BAD_REQUEST when there is none with this id.
 */
export async function getFolder(tx: Tx, realmId: number, id: number): Promise<FolderRecord> {
  const folder = Number.isSafeInteger(id) ? await tx.get<FolderRecord>(folderKeys.folder(realmId, id)) : null;
  if (folder === null) throw invalidFolder();
  return folder;
}

/**
 * Refuses a folder that no channel can come into, and lets whoever archives it meanwhile see that one does. To be
 * called in the transaction that writes a channel's `folder_id`, whenever that becomes another; null is no folder.
 * @throws AppError BAD_REQUEST for a folder that is unknown or archived.
 */
export async function useFolder(tx: Tx, realmId: number, id: number | null): Promise<void> {
  if (id === null) return;
  if ((await getFolder(tx, realmId, id)).is_archived) throw invalidFolder();
  const key = folderKeys.uses(realmId);
  tx.set(key, (await tx.get<number>(key) ?? 0) + 1);
}

function invalidFolder(): AppError {
  return new AppError("BAD_REQUEST", "Invalid channel folder ID");
}

/** The places of all folders as a transaction sees them, in their order. */
export async function getPlaces(tx: Tx, realmId: number): Promise<readonly FolderPlace[]> {
  return await tx.get<readonly FolderPlace[]>(folderKeys.places(realmId)) ?? [];
}

/**
 * Writes a folder and the name that it is found by; `before` is what it was, null for a new one.
 * @throws AppError BAD_REQUEST when another folder in use has the name.
 */
export async function putFolder(
  tx: Tx,
  realmId: number,
  { before, folder }: { before: FolderRecord | null; folder: FolderRecord },
): Promise<void> {
  const name = folderKeys.byName(realmId, folder.name);
  const isNewName = before?.name !== folder.name || (before.is_archived && !folder.is_archived);
  const owner = isNewName ? await tx.get<number>(name) : folder.id;
  if (owner !== null && owner !== folder.id) {
    throw new AppError("BAD_REQUEST", "Channel folder name already in use");
  }
  if (before !== null && !before.is_archived) tx.delete(folderKeys.byName(realmId, before.name));
  if (!folder.is_archived) tx.set(name, folder.id);
  tx.set(folderKeys.folder(realmId, folder.id), folder);
}

/**
 * Lets administrators through, as the transaction sees them.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export async function requireFolderRight(tx: Tx, { realm, actingUser }: Caller): Promise<void> {
  requireAdmin(await getUser(tx, realm.id, actingUser.id));
}

/** Tells everybody of a change of folders; `now` in milliseconds. */
export function tellOfFolders(
  tx: Tx,
  at: { realmId: number; now: number },
  told: { readonly op: string; readonly [member: string]: unknown },
): void {
  sendEvent(tx, at, { event: { type: "channel_folder", ...told }, audience: "everyone" });
}
