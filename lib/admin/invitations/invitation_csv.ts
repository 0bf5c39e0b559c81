import type { AdminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import type { ListedInvitation } from "./invitation_list.ts";

/** Returns invitations as a CSV file without their links, because files are passed on. */
export function toInvitationCsv(
  { messages, formatter }: AdminRequest,
  rows: readonly ListedInvitation[],
): Response {
  const { invitations: text, shell } = messages;
  const { csv } = text;
  const columns = [
    csv.kind,
    csv.invited,
    csv.inviter,
    csv.role,
    csv.created,
    csv.expires,
    csv.channels,
    csv.joined,
  ];
  const cells = rows.map((row) => [
    row.kind === "link" ? text.link : text.byEmail,
    row.kind === "link" ? formatter.t(text.linkNumbered, { id: String(row.id) }) : row.email,
    row.inviter,
    shell.roles[row.role],
    new Date(row.createdAt).toISOString(),
    row.expiresAt === null ? text.neverExpires : new Date(row.expiresAt).toISOString(),
    row.channels,
    row.kind === "link" ? String(row.joined) : "",
  ]);
  return toCsvDownload({ name: "invitations.csv", columns, rows: cells });
}
