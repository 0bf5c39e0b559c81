import { z } from "zod";

/** The answer of listing custom emoji. */
export const realmEmojiSchema = z.object({
  emoji: z.record(
    z.string(),
    z.object({
      id: z.string(),
      name: z.string(),
      source_url: z.string().meta({ description: "Below the organization's address." }),
      still_url: z.null(),
      deactivated: z.boolean(),
      author_id: z.int(),
    }),
  ),
});
