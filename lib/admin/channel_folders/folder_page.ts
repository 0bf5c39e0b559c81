import {
  listChannelFolders,
  MAX_FOLDER_DESCRIPTION,
  MAX_FOLDER_NAME,
  updateChannelFolder,
} from "@/lib/chat/channel_folders.ts";
import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { updateChannel } from "@/lib/chat/channels/update_channel.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { listShownChannels } from "../channels/channel_choices.ts";
import { readFolderForm, refusedAt } from "./folders_page.ts";
import type { FormFields } from "../form_fields.ts";
import { requireRevision, revisionOf } from "../revision.ts";

/** A channel that can be added to the folder. */
export interface FolderChannel {
  readonly id: number;
  readonly name: string;
  readonly isHere: boolean;
  /** Name of the folder that it is in, or null. */
  readonly other: string | null;
}

/** Data of a folder's page. */
export interface FolderData {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isArchived: boolean;
  readonly channels: readonly FolderChannel[];
  readonly seen: string;
  readonly limits: { readonly name: number; readonly description: number };
}

/** The page of a folder: its name, description and channels. */
export const folderPage: AdminPageSpec<FolderData> = {
  load: loadFolder,
  actions: { save: { run: save }, channels: { run: placeChannels } },
};

/** The page that confirms archiving a folder. */
export const archiveFolderPage: AdminPageSpec<FolderData> = {
  load: loadFolder,
  actions: { archive: { run: archive } },
};

async function loadFolder(request: AdminRequest): Promise<FolderData | null> {
  const [folders, channels] = await Promise.all([
    listChannelFolders(request.chat, request.realm, { includeArchived: true }),
    listShownChannels(request),
  ]);
  const folder = folders.find(({ id }) => id === pathId(request));
  if (folder === undefined) return null;
  const names = new Map(folders.map(({ id, name }) => [id, name]));
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    isArchived: folder.is_archived,
    channels: channels.map(({ id, name, folder_id }) => ({
      id,
      name,
      isHere: folder_id === folder.id,
      other: folder_id === null || folder_id === folder.id ? null : names.get(folder_id) ?? null,
    })),
    seen: revisionOf([folder.name, folder.description]),
    limits: { name: MAX_FOLDER_NAME, description: MAX_FOLDER_DESCRIPTION },
  };
}

async function save(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const folderId = pathId(request);
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  const stored = folders.find(({ id }) => id === folderId);
  if (stored !== undefined) requireRevision(request, fields, [stored.name, stored.description]);
  const wanted = readFolderForm(request, fields);
  const changes = { ...wanted, is_archived: undefined };
  await refusedAt("name", () => updateChannelFolder(chat, caller, { folderId, changes }));
  return { flash: formatter.t(messages.folders.saved, { name: wanted.name }), to: "/admin/channel-folders" };
}

async function placeChannels(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages } = request;
  const folderId = pathId(request);
  const wanted = new Set(fields.ints("channel"));
  const channels = await listShownChannels(request);
  const moved = channels.filter(({ id, folder_id }) => wanted.has(id) !== (folder_id === folderId));
  for (const channel of moved) {
    await moveChannel(request, channel, wanted.has(channel.id) ? folderId : null);
  }
  const name = (await loadFolder(request))?.name ?? "";
  return {
    flash: formatter.t(messages.folders.placed, { count: wanted.size, name }),
    to: "/admin/channel-folders",
  };
}

async function archive(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const folderId = pathId(request);
  const name = (await loadFolder(request))?.name ?? "";
  for (const channel of await listShownChannels(request)) {
    if (channel.folder_id === folderId) await moveChannel(request, channel, null);
  }
  const changes = { name: undefined, description: undefined, is_archived: true };
  await updateChannelFolder(chat, caller, { folderId, changes });
  return { flash: formatter.t(messages.folders.archived, { name }), to: "/admin/channel-folders" };
}

async function moveChannel({ chat, caller }: AdminRequest, { id }: ChannelRecord, folder_id: number | null) {
  await updateChannel(chat, caller, { channelId: id, changes: { folder_id } });
}
