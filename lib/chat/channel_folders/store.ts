import { AppError } from "@/lib/core/errors.ts";
import { claimName } from "@/lib/store/tx.ts";
import type { Tx } from "@/lib/store/transact.ts";
import { channelFolderKeys, type ChannelFolderRecord, type FolderPosition } from "./model.ts";

/**
 * Returns a folder, archived or not.
 * @throws AppError BAD_REQUEST if it does not exist.
 */
export async function getChannelFolder(tx: Tx, realmId: number, id: number): Promise<ChannelFolderRecord> {
  const folder = Number.isSafeInteger(id)
    ? await tx.get<ChannelFolderRecord>(channelFolderKeys.folder(realmId, id))
    : null;
  if (folder === null) throw invalidFolder();
  return folder;
}

/**
 * Checks that a channel can be added to a folder, and makes a transaction that archives the folder meanwhile
 * run again. Call it in the transaction that changes a channel's `folder_id`; null is no folder.
 * @throws AppError BAD_REQUEST if the folder does not exist or is archived.
 */
export async function assignFolder(tx: Tx, realmId: number, id: number | null): Promise<void> {
  if (id === null) return;
  if ((await getChannelFolder(tx, realmId, id)).is_archived) throw invalidFolder();
  const key = channelFolderKeys.uses(realmId);
  tx.set(key, (await tx.get<number>(key) ?? 0) + 1);
}

function invalidFolder(): AppError {
  return new AppError("BAD_REQUEST", "Invalid channel folder ID", { field: "folder_id" });
}

/** Reads the positions of all folders, in order. */
export async function readFolderPositions(tx: Tx, realmId: number): Promise<readonly FolderPosition[]> {
  return await tx.get<readonly FolderPosition[]>(channelFolderKeys.positions(realmId)) ?? [];
}

/**
 * Writes a folder and its name in the index of names; `before` is null for a new folder.
 * @throws AppError BAD_REQUEST if another unarchived folder has the name.
 */
export async function putChannelFolder(
  tx: Tx,
  realmId: number,
  { before, folder }: { before: ChannelFolderRecord | null; folder: ChannelFolderRecord },
): Promise<void> {
  const name = channelFolderKeys.byName(realmId, folder.name);
  const isNewName = before?.name !== folder.name || (before.is_archived && !folder.is_archived);
  const owner = isNewName ? await tx.get<number>(name) : folder.id;
  const isClaimed = await claimName(tx, {
    toKey: (form) => channelFolderKeys.byForm(realmId, form),
    id: folder.id,
    before: before === null || before.is_archived ? null : before.name,
    after: folder.is_archived ? null : folder.name,
  });
  if (!isClaimed || owner !== null && owner !== folder.id) {
    throw new AppError("BAD_REQUEST", "Channel folder name already in use");
  }
  if (before !== null && !before.is_archived) tx.delete(channelFolderKeys.byName(realmId, before.name));
  if (!folder.is_archived) tx.set(name, folder.id);
  tx.set(channelFolderKeys.folder(realmId, folder.id), folder);
}
