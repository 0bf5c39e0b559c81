import { z } from "zod";
import { createInvites, type InvitesRequest } from "@/lib/chat/invites/create_invites.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";

const failureSchema = z.object({
  errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
  sent_invitations: z.boolean(),
  daily_limit_reached: z.boolean(),
});

/**
 * Sends invitations and returns the addresses that received an account meanwhile.
 * @throws FormRefusal when the daily limit is reached, AppError for an offer that is not allowed.
 */
export async function sendInvitations(
  { chat, caller, messages }: AdminRequest,
  sent: InvitesRequest,
): Promise<readonly CheckedAddress[]> {
  try {
    await createInvites(chat, caller, sent);
    return [];
  } catch (error) {
    const failure = toFailure(error);
    if (failure?.daily_limit_reached === true) {
      throw new FormRefusal({ form: messages.invitations.dailyLimit });
    }
    if (failure === null || failure.errors.length === 0) throw error;
    // When no one was invited, every address was refused.
    return failure.errors.map(([email, problem]) => ({ email, name: "", problem }));
  }
}

function toFailure(error: unknown): z.infer<typeof failureSchema> | null {
  if (!(error instanceof AppError) || error.code !== "INVITATION_FAILED") return null;
  return failureSchema.safeParse(error.details.extra).data ?? null;
}
