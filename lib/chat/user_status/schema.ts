import { z } from "zod";

/** A status as the API shows it: the parts that say something. */
export const shownStatusSchema = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  away: z.boolean().optional().meta({ description: "True where it is there at all." }),
}).meta({ id: "UserStatus" });

/** The answer of asking for somebody's status. */
export const statusSchema = z.object({ status: shownStatusSchema });
