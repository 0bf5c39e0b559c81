import { z } from "zod";

/** A folder as the API shows it. */
const channelFolderSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string().meta({ description: "The description as HTML." }),
  order: z.int().meta({ description: "Folders are shown in ascending order of this." }),
  creator_id: z.int().nullable(),
  date_created: z.int().meta({ description: "Seconds since 1970 UTC." }),
  is_archived: z.boolean(),
}).meta({ id: "ChannelFolder" });

/** Every folder. */
export const channelFoldersSchema = z.object({ channel_folders: z.array(channelFolderSchema) });

/** A folder that was just made. */
export const madeFolderSchema = z.object({ channel_folder_id: z.int() });
