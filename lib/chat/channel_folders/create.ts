import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { folderKeys, folderQueue, type FolderRecord, MAX_FOLDERS } from "./folder.ts";
import { noteFolder } from "./note_folder.ts";
import { requireFolderName } from "./rules.ts";
import { getPlaces, putFolder, requireFolderRight, tellOfFolders } from "./store.ts";
import { toFolder } from "./view.ts";

/**
 * Makes a folder behind all others and tells everybody.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createFolder(
  app: ChatApp,
  caller: Caller,
  { name, description }: Pick<FolderRecord, "name" | "description">,
): Promise<FolderRecord> {
  const { realm } = caller;
  const realmId = realm.id;
  return await transact(app.store, async (tx) => {
    await requireFolderRight(tx, caller);
    requireFolderName(name);
    const now = app.clock.now();
    const id = await tx.nextId("channel_folder");
    const creator_id = caller.actingUser.id;
    const folder = { id, name, description, creator_id, date_created: now, is_archived: false };
    await putFolder(tx, realmId, { before: null, folder });
    const places = await getPlaces(tx, realmId);
    if (places.length >= MAX_FOLDERS) {
      throw new AppError("BAD_REQUEST", `An organization can have ${MAX_FOLDERS} channel folders at most.`);
    }
    // Its id is larger than any number that those before it stand by.
    tx.set(folderKeys.places(realmId), [...places, { id, order: id }]);
    noteFolder(tx, { app, ...caller }, { folder, action: "folder_created" });
    tellOfFolders(tx, { realmId, now }, { op: "add", channel_folder: toFolder({ app, realm }, folder, id) });
    return folder;
  }, folderQueue(realmId));
}
