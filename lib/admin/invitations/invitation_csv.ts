import type { AdminRequest } from "../admin_request.ts";
import type { ListedInvitation } from "./invitation_list.ts";

/** Cells that spreadsheets would evaluate; they get an apostrophe in front. */
const FORMULA = /^[\s]*[=+\-@\t\r]/;

/** Returns invitations as a CSV file without their links, because files are passed on. */
export function toInvitationCsv(
  { messages, formatter }: AdminRequest,
  rows: readonly ListedInvitation[],
): Response {
  const { invitations: text, shell } = messages;
  const { csv } = text;
  const titles = [
    csv.kind,
    csv.invited,
    csv.inviter,
    csv.role,
    csv.created,
    csv.expires,
    csv.channels,
    csv.joined,
  ];
  const lines = rows.map((row) => [
    row.kind === "link" ? text.link : text.byEmail,
    row.kind === "link" ? formatter.t(text.linkNumbered, { id: String(row.id) }) : row.email,
    row.inviter,
    shell.roles[row.role],
    new Date(row.createdAt).toISOString(),
    row.expiresAt === null ? text.neverExpires : new Date(row.expiresAt).toISOString(),
    row.channels,
    row.kind === "link" ? String(row.joined) : "",
  ]);
  const body = [titles, ...lines].map((cells) => cells.map(toCell).join(",")).join("\r\n");
  return new Response(`${body}\r\n`, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="invitations.csv"',
      "cache-control": "no-store",
    },
  });
}

/** Quotes a cell so that no spreadsheet evaluates it. */
function toCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
