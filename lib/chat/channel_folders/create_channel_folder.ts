import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { channelFolderKeys, type ChannelFolderRecord, MAX_FOLDERS, requireFolderName } from "./model.ts";
import { auditChannelFolder, sendChannelFolderEvent } from "./events.ts";
import { putChannelFolder, readFolderPositions } from "./store.ts";
import { toChannelFolder } from "./api.ts";

/**
 * Creates a folder after all others and sends the event.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createChannelFolder(
  app: ChatApp,
  caller: Caller,
  { name, description }: Pick<ChannelFolderRecord, "name" | "description">,
): Promise<ChannelFolderRecord> {
  const { realm } = caller;
  const realmId = realm.id;
  return await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    requireFolderName(name);
    const now = app.clock.now();
    const id = await tx.nextId("channel_folder");
    const creator_id = caller.actingUser.id;
    const folder = { id, name, description, creator_id, date_created: now, is_archived: false };
    await putChannelFolder(tx, realmId, { before: null, folder });
    const positions = await readFolderPositions(tx, realmId);
    if (positions.length >= MAX_FOLDERS) {
      throw new AppError("BAD_REQUEST", `An organization can have ${MAX_FOLDERS} channel folders at most.`);
    }
    // Its id is larger than the order of any other folder.
    tx.set(channelFolderKeys.positions(realmId), [...positions, { id, order: id }]);
    auditChannelFolder(tx, { app, ...caller }, { folder, action: "folder_created" });
    sendChannelFolderEvent(tx, { realmId, now }, {
      op: "add",
      channel_folder: toChannelFolder({ app, realm }, folder, id),
    });
    return folder;
  });
}
