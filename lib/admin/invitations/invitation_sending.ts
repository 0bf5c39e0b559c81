import { z } from "zod";
import { createInvites, type InvitesRequest } from "@/lib/chat/invites/create_invites.ts";
import { revokeInvite } from "@/lib/chat/invites/invite_mails.ts";
import type { OfferRequest } from "@/lib/chat/invites/model.ts";
import { readActiveInvites } from "@/lib/chat/invites/store.ts";
import { foldEmail } from "@/lib/chat/users/model.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { type CheckedAddress, toListed } from "@/lib/ui/checked_address.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { mayManage } from "./invitation_list.ts";

const failureSchema = z.object({
  errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
  sent_invitations: z.boolean(),
  daily_limit_reached: z.boolean(),
});

/**
 * Sends invitations, which replace pending ones of the same addresses, and returns the addresses that received an
 * account meanwhile.
 * @throws FormRefusal when the daily limit is reached, AppError for an offer that is not allowed.
 */
export async function sendInvitations(
  request: AdminRequest,
  offer: OfferRequest,
  invitees: readonly CheckedAddress[],
): Promise<readonly CheckedAddress[]> {
  const { chat, caller, user } = request;
  const invited = new Set(invitees.map(({ email }) => foldEmail(email)));
  const earlier = (await readActiveInvites(chat, caller)).flatMap((open) =>
    open.kind === "email" && invited.has(foldEmail(open.invite.email)) && mayManage(user, open.offer)
      ? [open.invite]
      : []
  );
  const late = await send(request, { ...offer, invitee_emails: invitees.map(toListed).join("\n") });
  const refused = new Set(late.map(({ email }) => foldEmail(email)));
  for (const { id, email } of earlier) if (!refused.has(foldEmail(email))) await revokeIfPending(request, id);
  return late;
}

/** Revokes an invitation, unless it was used or revoked meanwhile. */
async function revokeIfPending({ chat, caller }: AdminRequest, id: number): Promise<void> {
  try {
    await revokeInvite(chat, caller, id);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
}

async function send(
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
