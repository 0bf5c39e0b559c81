import { AUDIT_ACTIONS, type AuditKind, toIds } from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { DAY_MS, parseLocal, parseUtc, toLocal } from "@/lib/core/clock.ts";
import { toShownDetails } from "./audit_details.ts";
import { type DetailReader, nameOfRecord, withNames } from "./detail_reader.ts";

/** Number of changes on a page. */
const PAGE_SIZE = 50;
/** Number of changes read at once while a text is searched. */
const READ_SIZE = 100;
/** Number of changes that a search reads for one page. */
const MAX_READ = 2000;
const MAX_TEXT = 100;
/** Filter value for changes made on the command line. */
export const OPERATOR = "operator";

/** Kinds of objects in the order of the filter. */
export const AUDIT_KINDS: readonly AuditKind[] = [
  "user",
  "bot",
  "invite",
  "invite_link",
  "group",
  "channel",
  "folder",
  "linkifier",
  "profile_field",
  "emoji",
  "domain",
  "realm",
];

/** Filter of the audit log; empty texts match every change. */
interface AuditFilter {
  /** Id of the acting user, or OPERATOR. */
  readonly who: string;
  readonly kind: AuditKind | "";
  /** First day as YYYY-MM-DD in the user's time zone. */
  readonly from: string;
  /** Last day as YYYY-MM-DD in the user's time zone. */
  readonly to: string;
  /** Part of the name of the changed object or of a detail. */
  readonly text: string;
}

/** A change with sentences about its details. */
export interface DescribedChange extends AuditLogEntry {
  readonly sentences: readonly string[];
}

/** One page of changes, and the cursor of the next, older page. */
export interface FoundChanges {
  readonly changes: readonly DescribedChange[];
  readonly next: string | null;
}

/** Parses the filter in a URL; invalid values match every change. */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const who = query.get("who") ?? "";
  const kind = AUDIT_KINDS.find((known) => known === query.get("kind"));
  const day = (name: string) => {
    const text = query.get(name) ?? "";
    return !text.includes("T") && !Number.isNaN(parseUtc(text)) ? text : "";
  };
  return {
    who: who === OPERATOR || /^\d{1,15}$/.test(who) ? who : "",
    kind: kind !== undefined && kind in AUDIT_ACTIONS ? kind : "",
    from: day("from"),
    to: day("to"),
    text: (query.get("text") ?? "").trim().slice(0, MAX_TEXT),
  };
}

/**
 * Lists a page of the changes that match, newest first. A search for a text reads a limited number of changes,
 * so a page may be short although more follow. An invalid cursor leads to the newest changes.
 */
export async function searchAudit(
  reader: DetailReader,
  filter: AuditFilter,
  cursor: string | null,
): Promise<FoundChanges> {
  try {
    return await search(reader, filter, cursor);
  } catch (error) {
    if (!(error instanceof AppError) || cursor === null) throw error;
    return await search(reader, filter, null);
  }
}

async function search(
  reader: DetailReader,
  { who, kind, from, to, text }: AuditFilter,
  cursor: string | null,
): Promise<FoundChanges> {
  const { chat, realm, timeZone } = reader.request;
  const since = from === "" ? 0 : parseLocal(from, timeZone);
  const query = {
    limit: text === "" ? PAGE_SIZE : READ_SIZE,
    actingUserId: who === "" ? undefined : who === OPERATOR ? null : Number(who),
    kind: kind === "" ? undefined : kind,
    before: to === "" ? undefined : parseLocal(toLocal(parseUtc(to) + DAY_MS, "UTC"), timeZone),
  };
  const changes: DescribedChange[] = [];
  let next = cursor;
  for (let count = 0; count < MAX_READ; count += query.limit) {
    const page = await listAuditRecords(chat, realm, { ...query, cursor: next });
    changes.push(...await describe(reader, page.changes.filter(({ time }) => time >= since), text));
    const isOver = page.changes.some(({ time }) => time < since);
    next = isOver ? null : page.next;
    if (next === null || changes.length >= PAGE_SIZE) break;
  }
  return { changes, next };
}

/** Describes the changes in which a text is found. */
async function describe(
  reader: DetailReader,
  changes: readonly AuditLogEntry[],
  text: string,
): Promise<readonly DescribedChange[]> {
  const named = await withNames(reader, changes);
  return changes.map((change) => ({ ...change, sentences: toShownDetails(named, change) }))
    .filter((change) => text === "" || contains(named, change, text.toLowerCase()));
}

/** Whether a text is part of what is stored of a change, or of what is shown of it. */
function contains(reader: DetailReader, change: DescribedChange, text: string): boolean {
  const { id, target, details, sentences } = change;
  const has = (one: string) => one.toLowerCase().includes(text);
  // A change of many users shows only some of their names.
  const users = toIds(reader.values.get(id)?.after["users"]);
  return [target.name, ...Object.values(details).flat(), ...sentences].some(has) ||
    users.some((user) => has(nameOfRecord(reader, "user", user)));
}
