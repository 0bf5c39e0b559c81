import { bool, described, intList, optional, text, withDefault } from "../params/param.ts";
import { MAX_FOLDER_DESCRIPTION, MAX_FOLDER_NAME } from "./folder.ts";

const name = text({ max: MAX_FOLDER_NAME });
const description = text({ max: MAX_FOLDER_DESCRIPTION });

/** What a new folder takes. */
export const createFolderParams = {
  name: described(name, "The folder's name; no other folder in use may have it."),
  description: described(description, "What the folder is for, as Markdown; may be empty."),
};

/** What a change of a folder takes. */
export const updateFolderParams = {
  name: described(optional(name), "The folder's name; no other folder in use may have it."),
  description: described(optional(description), "What the folder is for, as Markdown."),
  is_archived: described(
    optional(bool()),
    "True takes the folder out of use, if no channel is in it; false takes it back.",
  ),
};

/** What the list of folders takes. */
export const listFoldersParams = {
  include_archived: described(withDefault(bool(), false), "Whether archived folders are listed too."),
};

/** What a new order of folders takes. */
export const reorderFoldersParams = {
  order: described(intList(), "The ids of all folders in their new order, archived ones among them."),
};
