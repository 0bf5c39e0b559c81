import { z } from "zod";

/** Where an uploaded file is. */
export const uploadedSchema = z.object({
  url: z.string().meta({ description: "To be written into messages: `[name](url)`." }),
  uri: z.string().meta({ deprecated: true }),
  filename: z.string(),
});

/** A path that opens for a minute. */
export const temporarySchema = z.object({ url: z.string() });

/** The files that the caller uploaded. */
export const attachmentsSchema = z.object({
  attachments: z.array(z.object({
    id: z.int(),
    name: z.string(),
    path_id: z.string().meta({ description: "What follows `/user_uploads/` in its address." }),
    size: z.int().meta({ description: "Bytes." }),
    create_time: z.int().meta({ description: "Seconds since 1970 UTC." }),
    message_ids: z.array(z.int()),
  })),
  upload_space_used: z.int().meta({ description: "Bytes of all uploads of the organization." }),
});
