import { z } from "zod";

/** An invitation or a link as the API shows it. */
const inviteSchema = z.object({
  id: z.int().meta({ description: "Unique together with `is_multiuse`." }),
  invited_by_user_id: z.int(),
  invited: z.int().meta({ description: "Seconds since 1970 UTC." }),
  expiry_date: z.int().nullable().meta({ description: "Seconds since 1970 UTC; null never." }),
  invited_as: z.int(),
  email: z.string().optional().meta({ description: "Of an invitation of one address." }),
  notify_referrer_on_join: z.boolean(),
  link_url: z.string().optional().meta({ description: "Of a reusable link." }),
  is_multiuse: z.boolean(),
}).meta({ id: "Invitation" });

/** The answer of listing invitations. */
export const invitesSchema = z.object({ invites: z.array(inviteSchema) });

/** The answer of making a reusable link. */
export const createdLinkSchema = z.object({ invite_link: z.string() });
