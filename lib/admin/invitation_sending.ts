import { z } from "zod";
import { createInvites, type SentInvites } from "@/lib/chat/invites/create_invites.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import { FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";

const failureSchema = z.object({
  errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
  sent_invitations: z.boolean(),
  daily_limit_reached: z.boolean(),
});

/**
 * Invites addresses, and gives those that got an account since they were looked at.
 * @throws FormRefusal when the day's invitations are used up, AppError for what may not be offered.
 */
export async function sendInvitations(
  { chat, caller, words }: AdminRequest,
  sent: SentInvites,
): Promise<readonly CheckedAddress[]> {
  try {
    await createInvites(chat, caller, sent);
    return [];
  } catch (error) {
    const failure = toFailure(error);
    if (failure?.daily_limit_reached === true) throw new FormRefusal({ form: words.invitations.dailyLimit });
    if (failure === null || failure.errors.length === 0) throw error;
    // Where nobody was invited, all of them were refused.
    return failure.errors.map(([email, problem]) => ({ email, name: "", problem }));
  }
}

function toFailure(error: unknown): z.infer<typeof failureSchema> | null {
  if (!(error instanceof AppError) || error.code !== "INVITATION_FAILED") return null;
  return failureSchema.safeParse(error.details.extra).data ?? null;
}
