import type { AuditAction, AuditKind } from "@/lib/chat/audit/model.ts";
import { type AuditLogEntry, readReverted } from "@/lib/chat/audit/store.ts";
import type { Directory } from "@/lib/chat/users/store.ts";
import { isAdmin, isBot } from "@/lib/chat/users/model.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";
import { AUDIT_KINDS, type AuditFilter, OPERATOR, readAuditFilter, searchAudit } from "./audit_search.ts";
import type { DescribedChange, FoundChanges } from "./audit_search.ts";
import { pathOfTarget } from "./audit_targets.ts";
import { type DetailReader, loadDetailReader } from "./detail_reader.ts";

/** Maximum number of users in the filter. */
const MAX_OFFERED = 100;

/** User who made a change; without a path they have no page. */
export interface AuditActor {
  readonly name: string;
  readonly path: string | null;
}

/** An audit entry as the page shows it. */
export interface ShownChange {
  readonly id: string;
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: { readonly name: string; readonly path: string | null };
  /** Sentences about the differences. */
  readonly details: readonly string[];
  /** Whether the change can be reverted, or was. */
  readonly reversal: "none" | "possible" | "done";
  /** Id of the entry that it reverted; null for other changes. */
  readonly reverts: string | null;
}

/** Data of the audit log page. */
export interface AuditData {
  readonly changes: readonly ShownChange[];
  /** Choices of the user filter. */
  readonly people: readonly { readonly value: string; readonly label: string }[];
  readonly kinds: readonly AuditKind[];
  readonly filter: AuditFilter;
  /** URL of the older changes; null on the last page. */
  readonly olderPath: string | null;
  readonly isFirst: boolean;
  /** URL of the first page with the same filter. */
  readonly firstPath: string;
}

/** The audit log. */
export const auditPage: AdminPageSpec<AuditData> = {
  load: loadChanges,
  actions: { export: { run: exportChanges } },
};

async function loadChanges(request: AdminRequest): Promise<AuditData> {
  const { query } = request;
  const filter = readAuditFilter(query);
  const cursor = query.get("cursor");
  const reader = await loadDetailReader(request);
  const page = await searchAudit(reader, filter, cursor);
  const reverted = await listReverted(request, page.changes);
  return {
    changes: page.changes.map((change) => toShown(reader, change, reverted.has(change.id))),
    people: listPeople(request, reader.directory, filter.who),
    kinds: AUDIT_KINDS,
    filter,
    olderPath: page.next === null ? null : toPath({ ...filter, cursor: page.next }),
    isFirst: cursor === null,
    firstPath: toPath({ ...filter }),
  };
}

/** Maximum number of changes in a file. */
const MAX_EXPORTED = 5000;

/** Returns the changes that match the page's filter as a CSV file, newest first. */
async function exportChanges(request: AdminRequest): Promise<Response> {
  const { query, messages: { audit: text } } = request;
  const filter = readAuditFilter(query);
  const reader = await loadDetailReader(request);
  const rows: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: FoundChanges = await searchAudit(reader, filter, cursor);
    rows.push(
      ...page.changes.map((change) => toCells(request, toShown(reader, change, false))),
    );
    cursor = page.next;
  } while (cursor !== null && rows.length < MAX_EXPORTED);
  return toCsvDownload({
    name: "audit.csv",
    columns: [text.when, text.who, text.change, text.csvDetails],
    rows: rows.slice(0, MAX_EXPORTED),
  });
}

function toCells(
  { messages, formatter }: AdminRequest,
  { time, actor, action, target, details }: ShownChange,
): string[] {
  const sentence = formatter.t(messages.audit.actions[action], { name: target.name });
  return [new Date(time).toISOString(), actor.name, sentence, details.join("; ")];
}

function toPath(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "/admin/audit" : `/admin/audit?${query}`;
}

function listPeople(
  { messages }: AdminRequest,
  { byName, byId }: Directory,
  who: string,
): AuditData["people"] {
  const admins = byName.filter((user) => user.is_active && !isBot(user) && isAdmin(user)).slice(
    0,
    MAX_OFFERED,
  );
  const chosen = byId.get(Number(who));
  const offered = chosen === undefined || admins.includes(chosen) ? admins : [...admins, chosen];
  return [
    { value: "", label: messages.audit.anyone },
    ...offered.map(({ id, full_name }) => ({ value: String(id), label: full_name })),
    { value: OPERATOR, label: messages.audit.operator },
  ];
}

/** Returns the ids of those of the changes that were reverted. */
async function listReverted(
  { chat, realm }: AdminRequest,
  changes: readonly AuditLogEntry[],
): Promise<ReadonlySet<string>> {
  const ids = changes.filter(({ is_revertible }) => is_revertible).map(({ id }) => id);
  const reads = { get: chat.reads.read };
  const reverted = await Promise.all(ids.map((id) => readReverted(reads, realm.id, id)));
  return new Set(ids.filter((_, at) => reverted[at] !== null));
}

/** The part of a reader that names the acting users. */
type ActorReader = Pick<DetailReader, "request" | "directory">;

/** Returns a change as pages show it. */
export function toShown(reader: ActorReader, change: DescribedChange, isReverted: boolean): ShownChange {
  const { id, time, action, target, is_revertible, reverts = null } = change;
  return {
    ...{ id, time, action, actor: toActor(reader, change.acting_user_id), reverts },
    reversal: isReverted ? "done" : is_revertible ? "possible" : "none",
    target: { name: target.name, path: pathOfTarget(target) },
    details: change.sentences,
  };
}

/** Returns the user who made a change. */
export function toActor({ request, directory }: ActorReader, id: number | null): AuditActor {
  if (id === null) return { name: request.messages.audit.operator, path: null };
  const user = directory.byId.get(id);
  return user === undefined
    ? { name: request.messages.audit.formerUser, path: null }
    : { name: user.full_name, path: `/admin/users/${id}` };
}
