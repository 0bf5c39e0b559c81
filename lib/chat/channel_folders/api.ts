import { z } from "zod";
import type { ChatApp } from "../app.ts";
import { bool, described, exact, intList, optional, text, withDefault } from "../params/param.ts";
import { type RealmRecord, realmUrl } from "../organizations/model.ts";
import { renderDescription } from "../rendering/render_message.ts";
import { type ChannelFolderRecord, MAX_FOLDER_DESCRIPTION, MAX_FOLDER_NAME } from "./model.ts";

const name = exact(text({ max: MAX_FOLDER_NAME }));
const description = text({ max: MAX_FOLDER_DESCRIPTION });

/** Parameters to create a folder. */
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

/** Parameters to list folders. */
export const listChannelFoldersParams = {
  include_archived: described(withDefault(bool(), false), "Whether to include archived folders."),
};

/** Parameters to reorder folders. */
export const reorderChannelFoldersParams = {
  order: described(intList(), "The ids of all folders in the new order, archived ones included."),
};

/** A channel folder as the API returns it. */
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

/** Response with a list of folders. */
export const channelFoldersSchema = z.object({ channel_folders: z.array(channelFolderSchema) });

/** Response with the id of a new folder. */
export const createdChannelFolderSchema = z.object({ channel_folder_id: z.int() });

/** The organization that a folder is shown in. */
export interface FolderViewContext {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/** Returns a folder as the API returns it. */
export function toChannelFolder(context: FolderViewContext, folder: ChannelFolderRecord, order: number) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: renderFolderDescription(context, folder.description),
    order,
    creator_id: folder.creator_id,
    date_created: Math.floor(folder.date_created / 1000),
    is_archived: folder.is_archived,
  };
}

/** Renders a folder's description as HTML, without mentions. */
export function renderFolderDescription({ app, realm }: FolderViewContext, description: string): string {
  return renderDescription(description, realmUrl(app, realm));
}
