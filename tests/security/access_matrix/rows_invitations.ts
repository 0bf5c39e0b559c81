import { type Row, row } from "@/tests/casts/access_matrix/row.ts";

const inviteAs = (invite_as: number) => ({
  title: `as ${invite_as}`,
  params: () => ({ invitee_emails: "new@rose.example", stream_ids: [], invite_as }),
});

/** Operations on invitations. */
export const INVITATION_ROWS: readonly Row[] = [
  row("GET /invites", "invite", { isList: true })`
    !! xx ++++ x !!  own
    !! xx ??++ x !!  others to-owner link
    !! xx ???? x !!  foreign
  `,
  row("GET /invites", "link", { isList: true })`
    !! xx ++++ x !!  own
    !! xx ??++ x !!  others
    !! xx ???+ x !!  to-owner
    !! xx ???? x !!  revoked foreign
  `,
  row("DELETE /invites/{invite_id}", "invite")`
    !! xx ++++ x !!  own
    !! xx ??++ x !!  others
    !! xx ??-+ x !!  to-owner
    !! xx ???? x !!  link foreign
  `,
  row("POST /invites/{invite_id}/resend", "invite")`
    !! xx ++++ x !!  own
    !! xx ??++ x !!  others
    !! xx ??-+ x !!  to-owner
    !! xx ???? x !!  link foreign
  `,
  row("DELETE /invites/multiuse/{invite_id}", "link")`
    !! xx ++++ x !!  own
    !! xx --++ x !!  others
    !! xx ---+ x !!  to-owner
    !! xx ---- x !!  revoked
    !! xx ???? x !!  foreign
  `,
  row("POST /invites", "nothing", inviteAs(400))`
    !! xx ++++ x !!  any
  `,
  row("POST /invites", "nothing", inviteAs(300))`
    !! xx x+++ x !!  any
  `,
  row("POST /invites", "nothing", inviteAs(200))`
    !! xx xx++ x !!  any
  `,
  row("POST /invites", "nothing", inviteAs(100))`
    !! xx xxx+ x !!  any
  `,
  row("POST /invites/multiuse", "nothing", inviteAs(400))`
    !! xx ++++ x !!  any
  `,
  row("POST /invites/multiuse", "nothing", inviteAs(100))`
    !! xx xxx+ x !!  any
  `,
];
