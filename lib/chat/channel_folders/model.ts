import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import type { Key } from "@/lib/store/key.ts";

/** Maximum length of a folder's name, in code points. */
export const MAX_FOLDER_NAME = 60;
/** Maximum length of a folder's description, in code points. */
export const MAX_FOLDER_DESCRIPTION = 1024;
/** Maximum number of folders of an organization, archived ones included: their order is one record. */
export const MAX_FOLDERS = 1000;

/** A channel folder as stored. */
export interface ChannelFolderRecord {
  readonly id: number;
  /** As sent, including surrounding spaces. */
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly is_archived: boolean;
}

/** A folder's id and its `order`, by which folders are sorted ascending. */
export interface FolderPosition {
  readonly id: number;
  readonly order: number;
}

/** Keys of channel folders in the store. */
export const channelFolderKeys = {
  folders: (realmId: number): Key => [realmId, "folder"],
  folder: (realmId: number, id: number): Key => [realmId, "folder", id],
  /** The id of the unarchived folder with a name; letter case does not matter. */
  byName: (realmId: number, name: string): Key => [realmId, "folder_by_name", name.toLowerCase()],
  /** The id of the first unarchived folder whose name has a form, so that no other name looks the same. */
  byForm: (realmId: number, form: string): Key => [realmId, "folder_by_form", form],
  /** The positions of all folders, archived ones included: one record, so that one check covers all. */
  positions: (realmId: number): Key => [realmId, "folder_order"],
  /** A counter that grows whenever a channel is added to a folder. */
  uses: (realmId: number): Key => [realmId, "folder_use"],
};

/**
 * Rejects an invalid folder name; a valid one is stored as sent.
 * @throws AppError BAD_REQUEST.
 */
export function requireFolderName(name: string): void {
  if (name.trim() === "") throw new AppError("BAD_REQUEST", "Channel folder name can't be empty.");
  requireName(name, "channel folder name");
}

/**
 * Rejects an order that does not contain each folder exactly once.
 * @throws AppError BAD_REQUEST.
 */
export function requireCompleteOrder(order: readonly number[], ids: readonly number[]): void {
  const named = new Set(order);
  const isComplete = order.length === ids.length && ids.every((id) => named.has(id));
  if (!isComplete) throw new AppError("BAD_REQUEST", "Invalid order mapping.");
}
