import { AppError } from "@/lib/core/errors.ts";

/** Why an address was not invited; the last says whether it is a deactivated account's. */
export type InviteProblem = readonly [address: string, reason: string, isDeactivated: boolean];

/** The refusal to invite some addresses, or all of them. */
export function invitationFailed(
  message: string,
  { errors = [], isSent = false, isLimitReached = false }: {
    errors?: readonly InviteProblem[];
    isSent?: boolean;
    isLimitReached?: boolean;
  },
): AppError {
  return new AppError("INVITATION_FAILED", message, {
    extra: {
      errors,
      sent_invitations: isSent,
      license_limit_reached: false,
      daily_limit_reached: isLimitReached,
    },
  });
}

/** The refusal of an invitation that is not there any more, or never was. */
export function noSuchInvitation(): AppError {
  return new AppError("BAD_REQUEST", "No such invitation");
}
