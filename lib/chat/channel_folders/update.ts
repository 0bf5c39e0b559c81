import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { folderKeys, folderQueue, type FolderRecord } from "./folder.ts";
import { noteFolderUpdate } from "./note_folder.ts";
import { requireFolderName } from "./rules.ts";
import { getFolder, putFolder, requireFolderRight, tellOfFolders } from "./store.ts";
import { type FolderViewer, renderFolderDescription } from "./view.ts";

/** What is to be other than it is; undefined leaves a thing alone. */
export interface FolderChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly is_archived: boolean | undefined;
}

/**
 * Changes a folder, archived or not, and tells everybody what is other than before.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateFolder(
  app: ChatApp,
  caller: Caller,
  { folderId, changes }: { folderId: number; changes: FolderChanges },
): Promise<void> {
  const { realm } = caller;
  const realmId = realm.id;
  await transact(app.store, async (tx) => {
    await requireFolderRight(tx, caller);
    const before = await getFolder(tx, realmId, folderId);
    const { name, description, is_archived } = { ...before, ...defined(changes) };
    const folder = { ...before, name, description, is_archived };
    if (name !== before.name) requireFolderName(name);
    const data = differences({ app, realm }, before, folder);
    if (Object.keys(data).length === 0) return;
    await putFolder(tx, realmId, { before, folder });
    if (is_archived && !before.is_archived) await requireEmpty(app, tx, { realmId, folderId });
    const now = app.clock.now();
    noteFolderUpdate(tx, { app, ...caller }, { before, after: folder });
    tellOfFolders(tx, { realmId, now }, { op: "update", channel_folder_id: folderId, data });
  }, folderQueue(realmId));
}

function defined({ name, description, is_archived }: FolderChanges): Partial<FolderRecord> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(is_archived === undefined ? {} : { is_archived }),
  };
}

function differences(
  viewer: FolderViewer,
  before: FolderRecord,
  after: FolderRecord,
): Record<string, unknown> {
  const { name, description, is_archived } = after;
  return {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description
      ? {}
      : { description, rendered_description: renderFolderDescription(viewer, description) }),
    ...(is_archived === before.is_archived ? {} : { is_archived }),
  };
}

/** What this needs to know of a channel; channels stand above folders. */
interface Folded {
  readonly folder_id: number | null;
}

/** Archived channels count as well: they may come back. */
async function requireEmpty(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, folderId }: { realmId: number; folderId: number },
): Promise<void> {
  // A channel that comes into a folder while the channels are listed changes this number.
  await tx.get(folderKeys.uses(realmId));
  for await (const entry of store.kv.list({ prefix: [realmId, "channel"] }, { batchSize: 500 })) {
    if (toEntry<Folded>(entry).value.folder_id !== folderId) continue;
    throw new AppError(
      "BAD_REQUEST",
      "You need to remove all the channels from this folder to archive it.",
    );
  }
}
