import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { channelKeys, type ChannelRecord } from "../channels/model/channel.ts";
import type { ActionContext, Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { channelFolderKeys, type ChannelFolderRecord, requireFolderName } from "./model.ts";
import { auditChannelFolderUpdate, sendChannelFolderEvent } from "./events.ts";
import { getChannelFolder, putChannelFolder } from "./store.ts";
import { type FolderViewContext, renderFolderDescription } from "./api.ts";

/** Changes of a folder; undefined keeps a property. */
export interface ChannelFolderChanges {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly is_archived: boolean | undefined;
}

/**
 * Updates a folder, archived or not, and sends the changed properties.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateChannelFolder(
  app: ChatApp,
  caller: Caller,
  { folderId, changes }: { folderId: number; changes: ChannelFolderChanges },
): Promise<void> {
  const work = (tx: Tx) => applyFolderUpdate({ app, tx, ...caller }, { folderId, changes });
  await transact(app.store, work);
}

/**
 * Updates a folder within a transaction, with the event and the audit entries.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function applyFolderUpdate(
  { app, tx, realm, actingUser }: ActionContext,
  { folderId, changes }: { folderId: number; changes: ChannelFolderChanges },
): Promise<void> {
  const realmId = realm.id;
  await getActingAdmin(tx, { realm, actingUser });
  const before = await getChannelFolder(tx, realmId, folderId);
  const { name, description, is_archived } = { ...before, ...defined(changes) };
  const folder = { ...before, name, description, is_archived };
  if (name !== before.name) requireFolderName(name);
  const data = diffFolder({ app, realm }, before, folder);
  if (Object.keys(data).length === 0) return;
  await putChannelFolder(tx, realmId, { before, folder });
  if (is_archived && !before.is_archived) await requireEmptyFolder(app, tx, { realmId, folderId });
  const now = app.clock.now();
  auditChannelFolderUpdate(tx, { app, realm, actingUser }, { before, after: folder });
  sendChannelFolderEvent(tx, { realmId, now }, { op: "update", channel_folder_id: folderId, data });
}

function defined({ name, description, is_archived }: ChannelFolderChanges): Partial<ChannelFolderRecord> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(is_archived === undefined ? {} : { is_archived }),
  };
}

function diffFolder(
  context: FolderViewContext,
  before: ChannelFolderRecord,
  after: ChannelFolderRecord,
): Record<string, unknown> {
  const { name, description, is_archived } = after;
  return {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description
      ? {}
      : { description, rendered_description: renderFolderDescription(context, description) }),
    ...(is_archived === before.is_archived ? {} : { is_archived }),
  };
}

/** Archived channels count too: they can be unarchived. */
async function requireEmptyFolder(
  { store }: Pick<ChatApp, "store">,
  tx: Tx,
  { realmId, folderId }: { realmId: number; folderId: number },
): Promise<void> {
  // Adding a channel to a folder while the channels are listed changes this counter.
  await tx.get(channelFolderKeys.uses(realmId));
  const prefix = [...channelKeys.channels(realmId)];
  for await (const entry of store.kv.list({ prefix }, { batchSize: 500 })) {
    if (toEntry<ChannelRecord>(entry).value.folder_id !== folderId) continue;
    throw new AppError(
      "BAD_REQUEST",
      "You need to remove all the channels from this folder to archive it.",
    );
  }
}
