import {
  createChannelFolder,
  listChannelFolders,
  MAX_FOLDER_DESCRIPTION,
  MAX_FOLDER_NAME,
  reorderChannelFolders,
  updateChannelFolder,
} from "@/lib/chat/channel_folders.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { listShownChannels } from "../channels/channel_choices.ts";
import type { FormFields } from "../form_fields.ts";
import { movedBy } from "../move_position.ts";
import { findTooLong } from "../find_too_long.ts";

/** A folder in the list. */
export interface ListedFolder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isArchived: boolean;
  readonly channelCount: number;
}

/** Data of the folders page. */
export interface FoldersData {
  readonly folders: readonly ListedFolder[];
  readonly showsArchived: boolean;
  readonly limits: { readonly name: number; readonly description: number };
}

/** The folders page: list, create, reorder, restore. */
export const foldersPage: AdminPageSpec<FoldersData> = {
  load: loadFolders,
  actions: {
    create: { run: create },
    move_up: { run: (request, fields) => move(request, fields, -1) },
    move_down: { run: (request, fields) => move(request, fields, 1) },
    reorder: { run: reorder },
    restore: { run: restore },
  },
};

async function loadFolders(request: AdminRequest): Promise<FoldersData> {
  const { chat, realm, query } = request;
  const [folders, channels] = await Promise.all([
    listChannelFolders(chat, realm, { includeArchived: true }),
    listShownChannels(request),
  ]);
  const counts = new Map<number, number>();
  for (const { folder_id } of channels) {
    if (folder_id !== null) counts.set(folder_id, (counts.get(folder_id) ?? 0) + 1);
  }
  const showsArchived = query.has("archived");
  return {
    folders: folders.filter(({ is_archived }) => showsArchived || !is_archived).map((folder) => ({
      id: folder.id,
      name: folder.name,
      description: folder.description,
      isArchived: folder.is_archived,
      channelCount: counts.get(folder.id) ?? 0,
    })),
    showsArchived,
    limits: { name: MAX_FOLDER_NAME, description: MAX_FOLDER_DESCRIPTION },
  };
}

/** Reads the name and description of a form. */
export function readFolderForm(request: AdminRequest, fields: FormFields) {
  const name = fields.exact("name");
  const description = fields.text("description");
  const problems = findTooLong(request, {
    name: [name, MAX_FOLDER_NAME],
    description: [description, MAX_FOLDER_DESCRIPTION],
  });
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return { name, description };
}

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const wanted = readFolderForm(request, fields);
  const { id, name } = await refusedAt("name", () => createChannelFolder(chat, caller, wanted));
  return { flash: formatter.t(messages.folders.created, { name }), result: { id } };
}

/** Converts a refusal to a problem of one field. */
export async function refusedAt<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === "BAD_REQUEST") {
      throw new FormRefusal({ [field]: error.message });
    }
    throw error;
  }
}

async function move(request: AdminRequest, fields: FormFields, step: -1 | 1): Promise<Done> {
  const { chat, realm, caller } = request;
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  const id = fields.int("id") ?? 0;
  // Archived folders stay hidden between the others, so a move skips them.
  const shown = folders.filter(({ is_archived }) => !is_archived).map((folder) => folder.id);
  const hidden = folders.filter(({ is_archived }) => is_archived).map((folder) => folder.id);
  const order = movedBy(shown, id, step);
  await reorderChannelFolders(chat, caller, [...order, ...hidden]);
  return { flash: toMoved(request, order, folders.find((folder) => folder.id === id)) };
}

async function reorder(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller } = request;
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  const order = fields.ints("order");
  const others = folders.map(({ id }) => id).filter((id) => !order.includes(id));
  await reorderChannelFolders(chat, caller, [...order, ...others]);
  return { flash: toMoved(request, order, folders.find(({ id }) => id === fields.int("id"))) };
}

function toMoved(
  { formatter, messages }: AdminRequest,
  order: readonly number[],
  folder: { readonly id: number; readonly name: string } | undefined,
): string {
  if (folder === undefined) return "";
  const place = order.indexOf(folder.id) + 1;
  return formatter.t(messages.common.moved, { name: folder.name, place, count: order.length });
}

async function restore(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const folderId = fields.int("id") ?? 0;
  const changes = { name: undefined, description: undefined, is_archived: false };
  await updateChannelFolder(chat, caller, { folderId, changes });
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  const name = folders.find(({ id }) => id === folderId)?.name ?? "";
  return { flash: formatter.t(messages.folders.restored, { name }) };
}
