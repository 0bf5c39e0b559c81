import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ActionContext, ChatApp } from "../organization/app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
} from "../organization/audit/model.ts";
import { auditAction } from "../organization/audit/store.ts";
import { channelKeys, type ChannelRecord } from "../organization/channels/model/channel.ts";
import type { Complain } from "../organization/check_index.ts";
import { StoredNames } from "../organization/collection.ts";
import { sendChangeEvent } from "../organization/events/send_events.ts";
import { type RealmRecord, realmUrl } from "../organization/organizations/model.ts";
import {
  bool,
  described,
  exact,
  intList,
  optional,
  type ParamValues,
  text,
  withDefault,
} from "../organization/params/param.ts";
import { renderDescription } from "../organization/rendering/render_message.ts";
import type { Caller } from "../organization/users/model.ts";
import { actAsAdmin } from "../organization/users/store.ts";

/** Maximum length of a folder's name, in code points. */
export const MAX_FOLDER_NAME = 60;
/** Maximum length of a folder's description, in code points. */
export const MAX_FOLDER_DESCRIPTION = 1024;
/** Maximum number of folders of an organization, archived ones included: their order is one record. */
export const MAX_FOLDERS = 1000;

export interface ChannelFolderRecord {
  readonly id: number;
  /** As sent, including surrounding spaces. */
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly is_archived: boolean;
  /** Channels that the page has taken out of the folder to archive it, or not returned to it yet; absent for none. */
  readonly former_channel_ids?: readonly number[];
}

/** A folder's id and its `order`, by which folders are sorted ascending. */
export interface FolderPosition {
  readonly id: number;
  readonly order: number;
}

export const channelFolderKeys = {
  folders: (realmId: number): Key => [realmId, "folder"],
  folder: (realmId: number, id: number): Key => [realmId, "folder", id],
  /** The positions of all folders, archived ones included: one record, so that one check covers all. */
  positions: (realmId: number): Key => [realmId, "folder_order"],
  /** A counter that grows whenever a channel is added to a folder. */
  uses: (realmId: number): Key => [realmId, "folder_use"],
};

/** The names of the unarchived folders; letter case does not matter. */
const folderNames = new StoredNames({
  name: "folder",
  plural: "channel folders",
  fold: (name) => name.toLowerCase(),
  taken: folderNameTaken,
});

function folderNameTaken(): AppError {
  return new AppError("BAD_REQUEST", "Channel folder name already in use");
}

/**
 * Rejects an invalid folder name; a valid one is stored as sent.
 * @throws AppError BAD_REQUEST.
 */
function requireFolderName(name: string): void {
  if (name.trim() === "") throw new AppError("BAD_REQUEST", "Channel folder name can't be empty.");
  requireName(name, "channel folder name");
}

/**
 * Returns a folder, archived or not.
 * @throws AppError BAD_REQUEST if it does not exist.
 */
async function getChannelFolder(tx: Tx, realmId: number, id: number): Promise<ChannelFolderRecord> {
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
async function readFolderPositions(tx: Tx, realmId: number): Promise<readonly FolderPosition[]> {
  return await tx.get<readonly FolderPosition[]>(channelFolderKeys.positions(realmId)) ?? [];
}

/**
 * Writes a folder and its name in the index of names; `before` is null for a new folder.
 * @throws AppError BAD_REQUEST if another unarchived folder has the name.
 */
async function putChannelFolder(
  tx: Tx,
  realmId: number,
  { before, folder }: { before: ChannelFolderRecord | null; folder: ChannelFolderRecord },
): Promise<void> {
  const isRenamed = before?.name !== folder.name;
  // An archived folder has no name of its own, but none that would keep it from being restored.
  if (isRenamed && folder.is_archived && await folderNames.find(tx, realmId, folder.name) !== null) {
    throw folderNameTaken();
  }
  const nameOf = (of: ChannelFolderRecord | null) => of === null || of.is_archived ? null : of.name;
  await folderNames.change(tx, realmId, { id: folder.id, before: nameOf(before), after: nameOf(folder) });
  tx.set(channelFolderKeys.folder(realmId, folder.id), folder);
}

/** Lists an organization's folders as the API returns them, in order. */
export async function listChannelFolders(
  app: ChatApp,
  realm: RealmRecord,
  { includeArchived }: { includeArchived: boolean },
) {
  const organization = await app.readOrganization(realm.id);
  const positions = organization.get<readonly FolderPosition[]>(channelFolderKeys.positions(realm.id)) ?? [];
  const orders = new Map(positions.map(({ id, order }) => [id, order]));
  return organization.rows<ChannelFolderRecord>(channelFolderKeys.folders(realm.id)).values()
    .filter(({ is_archived }) => includeArchived || !is_archived)
    .map((folder) => toChannelFolder({ app, realm }, folder, orders.get(folder.id) ?? folder.id))
    .sort((a, b) => a.order - b.order);
}

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
  return await actAsAdmin(app, caller, async (context) => {
    const { tx } = context;
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
    auditFolder(context, folder, { action: "folder_created" });
    sendChannelFolderEvent(context, {
      op: "add",
      channel_folder: toChannelFolder({ app, realm }, folder, id),
    });
    return folder;
  });
}

interface FolderUpdate {
  readonly folderId: number;
  readonly changes: ParamValues<typeof updateChannelFolderParams>;
  /** Channels that return to the folder when it is restored; by default, it keeps them until then. */
  readonly formerChannelIds?: readonly number[];
}

/**
 * Updates a folder, archived or not, and sends the changed properties.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateChannelFolder(
  app: ChatApp,
  caller: Caller,
  { folderId, changes, formerChannelIds }: FolderUpdate,
): Promise<void> {
  const { realm } = caller;
  const realmId = realm.id;
  await actAsAdmin(app, caller, async (context) => {
    const { tx } = context;
    const before = await getChannelFolder(tx, realmId, folderId);
    const {
      name = before.name,
      description = before.description,
      is_archived = before.is_archived,
    } = changes;
    const { former_channel_ids: earlier = [], ...others } = before;
    const former_channel_ids = formerChannelIds ?? (before.is_archived && !is_archived ? [] : earlier);
    const folder = {
      ...others,
      name,
      description,
      is_archived,
      ...(former_channel_ids.length > 0 ? { former_channel_ids } : {}),
    };
    if (name !== before.name) requireFolderName(name);
    const data = {
      ...(name === before.name ? {} : { name }),
      ...(description === before.description
        ? {}
        : { description, rendered_description: renderDescription(description, realmUrl(app, realm)) }),
      ...(is_archived === before.is_archived ? {} : { is_archived }),
    };
    if (formerChannelIds === undefined && Object.keys(data).length === 0) return;
    await putChannelFolder(tx, realmId, { before, folder });
    if (Object.keys(data).length === 0) return;
    if (is_archived && !before.is_archived) await requireEmptyFolder(app, tx, { realmId, folderId });
    if (is_archived !== before.is_archived) {
      auditFolder(context, folder, {
        action: is_archived ? "folder_archived" : "folder_restored",
      });
    }
    const details = diffDetails(before, folder, ["name", "description"]);
    if (Object.keys(details).length > 0) {
      auditFolder(context, folder, { action: "folder_changed", details });
    }
    sendChannelFolderEvent(context, {
      op: "update",
      channel_folder_id: folderId,
      data,
    });
  });
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

/** @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that does not contain each folder once. */
export async function reorderChannelFolders(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await actAsAdmin(app, caller, async (context) => {
    const { tx } = context;
    const before = (await readFolderPositions(tx, realmId)).map(({ id }) => id);
    const named = new Set(order);
    if (order.length !== before.length || !before.every((id) => named.has(id))) {
      throw new AppError("BAD_REQUEST", "Invalid order mapping.");
    }
    if (before.every((id, at) => id === order[at])) return;
    tx.set(channelFolderKeys.positions(realmId), order.map((id, at) => ({ id, order: at })));
    auditFolder(context, { id: 0, name: "" }, {
      action: "folder_reordered",
      values: { before: { order: before }, after: { order } },
    });
    sendChannelFolderEvent(context, { op: "reorder", order });
  });
}

/** Records an action on a folder in the audit log; id 0 stands for all folders. */
function auditFolder(
  context: ActionContext,
  { id, name }: Pick<ChannelFolderRecord, "id" | "name">,
  entry: { action: AuditAction; details?: AuditDetails; values?: AuditValues | undefined },
): void {
  auditAction(context, { target: { kind: "folder", id, name }, ...entry });
}

/** Compares the names of an organization's channel folders, and their forms, with the folders. */
export async function checkChannelFolders(kv: Kv, realmId: number, complain: Complain): Promise<void> {
  const folders = await listValues<ChannelFolderRecord>(kv, channelFolderKeys.folders(realmId));
  const named = folders.filter(({ is_archived }) => !is_archived);
  await folderNames.check(kv, { realmId, named }, complain);
}

function sendChannelFolderEvent(
  context: ActionContext,
  content: { readonly op: string; readonly [member: string]: unknown },
): void {
  sendChangeEvent(context, { type: "channel_folder", ...content });
}

const name = exact(text({ max: MAX_FOLDER_NAME }));
const description = text({ max: MAX_FOLDER_DESCRIPTION });

export const createChannelFolderParams = {
  name: described(name, "The folder's name, unique among unarchived folders."),
  description: described(description, "The folder's description, in Markdown; can be empty."),
};

/** Parameters to update a folder, all optional. */
export const updateChannelFolderParams = {
  name: described(optional(name), "The folder's name, unique among unarchived folders."),
  description: described(optional(description), "The folder's description, in Markdown."),
  is_archived: described(
    optional(bool()),
    "True archives the folder, which must contain no channels; false unarchives it.",
  ),
};

export const listChannelFoldersParams = {
  include_archived: described(withDefault(bool(), false), "Whether to include archived folders."),
};

export const reorderChannelFoldersParams = {
  order: described(intList(), "The ids of all folders in the new order, archived ones included."),
};

const channelFolderSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string().meta({ description: "The description as HTML." }),
  order: z.int().meta({ description: "Folders are sorted by this, ascending." }),
  creator_id: z.int().nullable(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  is_archived: z.boolean(),
}).meta({ id: "ChannelFolder" });

export const channelFoldersSchema = z.object({ channel_folders: z.array(channelFolderSchema) });

export const createdChannelFolderSchema = z.object({ channel_folder_id: z.int() });

export function toChannelFolder(
  { app, realm }: { app: Pick<ChatApp, "config">; realm: RealmRecord },
  folder: ChannelFolderRecord,
  order: number,
) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: renderDescription(folder.description, realmUrl(app, realm)),
    order,
    creator_id: folder.creator_id,
    date_created: Math.floor(folder.date_created / 1000),
    is_archived: folder.is_archived,
  };
}
