import { z } from "zod";

/** Response of `POST /user_uploads`. */
export const uploadedSchema = z.object({
  url: z.string().meta({ description: "Path to use in messages: `[name](url)`." }),
  uri: z.string().meta({ deprecated: true }),
  filename: z.string(),
});

/** Response with a temporary path to a file. */
export const temporaryLinkSchema = z.object({ url: z.string() });

/** A file as the API returns it to its owner. */
export const attachmentSchema = z.object({
  id: z.int(),
  name: z.string(),
  path_id: z.string().meta({ description: "Part of the file's URL after `/user_uploads/`." }),
  size: z.int().meta({ description: "Size in bytes." }),
  create_time: z.int().meta({ description: "Seconds since 1970 UTC." }),
  message_ids: z.array(z.int()),
});

/** Response of `GET /attachments`. */
export const attachmentsSchema = z.object({
  attachments: z.array(attachmentSchema),
  upload_space_used: z.int().meta({ description: "Total size of the organization's uploads, in bytes." }),
});
