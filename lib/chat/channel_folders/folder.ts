import type { Key } from "@/lib/kv/key.ts";

/** The longest name of a folder, in code points. */
export const MAX_FOLDER_NAME = 60;
/** The longest description of a folder, in code points. */
export const MAX_FOLDER_DESCRIPTION = 1024;
/** The most folders of one organization, archived ones among them: their order is one record. */
export const MAX_FOLDERS = 1000;

/** One folder of channels. */
export interface FolderRecord {
  readonly id: number;
  /** As it was sent, blanks around it included. */
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** Milliseconds since 1970 UTC. */
  readonly date_created: number;
  readonly is_archived: boolean;
}

/** A folder and the number by which it stands among the others, ascending. */
export interface FolderPlace {
  readonly id: number;
  readonly order: number;
}

/** Where folders lie in the store. */
export const folderKeys = {
  folders: (realmId: number): Key => [realmId, "folder"],
  folder: (realmId: number, id: number): Key => [realmId, "folder", id],
  /** The id of the folder that has a name, in any case; archived ones have none. */
  byName: (realmId: number, name: string): Key => [realmId, "folder_by_name", name.toLowerCase()],
  /** The places of all folders, archived ones among them, in their order: one record, so that one check covers it. */
  places: (realmId: number): Key => [realmId, "folder_order"],
  /** A number that grows whenever a channel comes into a folder. */
  uses: (realmId: number): Key => [realmId, "folder_use"],
};

/** The line in which changes of an organization's folders wait for each other within this process. */
export function folderQueue(realmId: number): string {
  return `channel folders ${realmId}`;
}
