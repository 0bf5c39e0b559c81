import { FIELDS, INVITES, type ShownEvents } from "./shown_events.ts";

/** Events that concern the pages that do not declare them yet, by path; `*` stands for the subject. */
export const UNDECLARED: Readonly<Record<string, ShownEvents>> = {
  "/admin/invitations": INVITES,
  "/admin/invitations/revoke": INVITES,
  "/admin/invitations/email/*/link": INVITES,
  "/admin/invitations/email/*/resend": INVITES,
  "/admin/invitations/email/*/revoke": INVITES,
  "/admin/invitations/link/*": INVITES,
  "/admin/invitations/link/*/revoke": INVITES,
  "/admin/profile-fields": FIELDS,
  "/admin/profile-fields/*": FIELDS,
  "/admin/profile-fields/*/delete": FIELDS,
};
