import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { folderKeys, type FolderPlace, type FolderRecord } from "./folder.ts";
import { toFolder } from "./view.ts";

/** The folders of an organization as the API shows them, in their order. */
export async function listFolders(
  app: ChatApp,
  realm: RealmRecord,
  { includeArchived }: { includeArchived: boolean },
) {
  const places = await app.reads.read<readonly FolderPlace[]>(folderKeys.places(realm.id)) ?? [];
  const orders = new Map(places.map(({ id, order }) => [id, order]));
  const folders = [];
  const prefix = [...folderKeys.folders(realm.id)];
  for await (const entry of app.store.kv.list({ prefix }, { batchSize: 500 })) {
    const { value } = toEntry<FolderRecord>(entry);
    if (value.is_archived && !includeArchived) continue;
    // One that came after the places were read stands last, by its id, as it does in them.
    folders.push(toFolder({ app, realm }, value, orders.get(value.id) ?? value.id));
  }
  return folders.sort((one, other) => one.order - other.order);
}
