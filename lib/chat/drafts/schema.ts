import { z } from "zod";

/** A draft as the API shows it. */
const draftSchema = z.object({
  id: z.int(),
  type: z.enum(["", "stream", "private"]),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
}).meta({ id: "Draft" });

/** The answer of listing drafts. */
export const draftsSchema = z.object({ count: z.int(), drafts: z.array(draftSchema) });

/** The answer of keeping drafts. */
export const createdDraftsSchema = z.object({ ids: z.array(z.int()) });
