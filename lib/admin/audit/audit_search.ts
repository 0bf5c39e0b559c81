import { type AuditKind, toIds } from "@/lib/chat/organization/audit/model.ts";
import { type AuditLogEntry, listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { DAY_MS, parseLocal, parseUtc, toLocal } from "@/lib/core/clock.ts";
import {
  describeChange,
  type DescribedChange,
  type DetailReader,
  nameOfRecord,
  readChangedLinks,
} from "./details.ts";

const PAGE_SIZE = 50;
/** Number of changes read at once while a text is searched. */
const READ_SIZE = 100;
/** Number of changes that a search reads for one page. */
const MAX_READ = 2000;
const MAX_TEXT = 100;
/** Filter value for changes made on the command line. */
export const OPERATOR = "operator";

/** Kinds of objects that the filter offers, in its order. */
export const AUDIT_KINDS = {
  user: "Users",
  bot: "Bots",
  invite: "Invitations",
  invite_link: "Invitation links",
  group: "Groups",
  channel: "Channels",
  folder: "Channel folders",
  linkifier: "Linkifiers",
  playground: "Code playgrounds",
  profile_field: "Profile fields",
  emoji: "Custom emoji",
  domain: "Domains",
  realm: "Organization",
  export: "Data exports",
  link: "Short links",
  blocked_host: "Blocked hosts",
} satisfies Readonly<Record<AuditKind, string>>;

const KINDS = Object.keys(AUDIT_KINDS);

/** Filter of the audit log; empty texts match every change. */
type AuditFilter = ReturnType<typeof readAuditFilter>;

/** One page of changes, and the cursor of the next, older page. */
export interface FoundChanges {
  readonly changes: readonly DescribedChange[];
  readonly next: string | null;
}

/** Parses the filter in a URL; invalid values match every change. */
export function readAuditFilter(query: URLSearchParams) {
  const who = query.get("who") ?? "";
  const kind = query.get("kind") ?? "";
  const day = (name: string) => {
    const text = query.get(name) ?? "";
    return !text.includes("T") && !Number.isNaN(parseUtc(text)) ? text : "";
  };
  return {
    /** Id of the acting user, or OPERATOR. */
    who: who === OPERATOR || /^\d{1,15}$/.test(who) ? who : "",
    kind: isKind(kind) ? kind : "" as const,
    /** First and last day as YYYY-MM-DD in the user's time zone. */
    from: day("from"),
    to: day("to"),
    /** Part of the name of the changed object or of a detail. */
    text: (query.get("text") ?? "").trim().slice(0, MAX_TEXT),
  };
}

function isKind(name: string): name is AuditKind {
  return KINDS.includes(name);
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
  const described = await Promise.all(
    changes.map((change) => describeChange(reader, change, { isSearched: text !== "" })),
  );
  return described.filter((change) => text === "" || contains(reader, change, text.toLowerCase()));
}

/** Whether a text is part of what is stored of a change, or of what is shown of it. */
function contains(
  reader: DetailReader,
  { target, details, sentences, values }: DescribedChange,
  text: string,
): boolean {
  const has = (one: string) => one.toLowerCase().includes(text);
  // A change of many users or links shows only some of their names.
  return [target.name, ...Object.values(details).flat(), ...sentences].some(has) ||
    toIds(values?.after["users"]).some((user) => has(nameOfRecord(reader, "user", user))) ||
    (values !== null && readChangedLinks(values).some(({ name }) => has(name)));
}
