import { toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { channelFolderKeys, type ChannelFolderRecord, type FolderPosition } from "./model.ts";
import { toChannelFolder } from "./api.ts";

/** Lists an organization's folders as the API returns them, in order. */
export async function listChannelFolders(
  app: ChatApp,
  realm: RealmRecord,
  { includeArchived }: { includeArchived: boolean },
) {
  const positions = await app.reads.read<readonly FolderPosition[]>(channelFolderKeys.positions(realm.id)) ??
    [];
  const orders = new Map(positions.map(({ id, order }) => [id, order]));
  const folders = [];
  const prefix = [...channelFolderKeys.folders(realm.id)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 500 })) {
    const { value } = toEntry<ChannelFolderRecord>(entry);
    if (value.is_archived && !includeArchived) continue;
    // A folder created after the positions were read is last: its order is its id.
    folders.push(toChannelFolder({ app, realm }, value, orders.get(value.id) ?? value.id));
  }
  return folders.sort((one, other) => one.order - other.order);
}
