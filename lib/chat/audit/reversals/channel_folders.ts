import {
  applyFolderOrder,
  applyFolderUpdate,
  channelFolderKeys,
  type ChannelFolderRecord,
  readFolderPositions,
} from "@/lib/chat/channel_folders.ts";
import { pickChanged, type Reversal, type RevertContext, targetId, toEarlierOrder } from "./reversal.ts";

/** Reverts changes of a folder's name and description, archiving and restoring. */
export const folderReversal: Reversal = {
  async read(context) {
    const key = channelFolderKeys.folder(context.realm.id, targetId(context));
    const folder = await context.tx.get<ChannelFolderRecord>(key);
    if (folder === null) return null;
    const { name, description, is_archived } = folder;
    return pickChanged(context, { name, description, is_archived });
  },
  async apply(context, { name, description, is_archived }) {
    const text = (value: unknown) => typeof value === "string" ? value : undefined;
    await applyFolderUpdate(context, {
      folderId: targetId(context),
      changes: {
        name: text(name),
        description: text(description),
        is_archived: typeof is_archived === "boolean" ? is_archived : undefined,
      },
    });
    return null;
  },
};

/** Reverts the order of the folders. */
export const folderOrderReversal: Reversal = {
  read: async (context) => ({ order: await readOrder(context) }),
  async apply(context, { order }) {
    await applyFolderOrder(context, toEarlierOrder(order, await readOrder(context)));
    return null;
  },
};

async function readOrder({ tx, realm }: RevertContext): Promise<readonly number[]> {
  return (await readFolderPositions(tx, realm.id)).map(({ id }) => id);
}
