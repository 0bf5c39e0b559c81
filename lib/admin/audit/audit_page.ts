import { AUDIT_ACTIONS, type AuditAction, type AuditKind, type AuditRecord } from "@/lib/chat/audit/model.ts";
import { listAuditRecords } from "@/lib/chat/audit/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/store.ts";
import { isAdmin, isBot } from "@/lib/chat/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { type DetailReader, toShownDetails } from "./audit_details.ts";
import { pathOfTarget } from "./audit_targets.ts";

/** Number of changes on a page. */
const PAGE_SIZE = 50;
/** Filter value for changes made on the command line. */
const OPERATOR = "operator";
/** Maximum number of users in the filter. */
const MAX_OFFERED = 100;

/** User who made a change; without a path they have no page. */
export interface AuditActor {
  readonly name: string;
  readonly path: string | null;
}

/** An audit entry as the page shows it. */
export interface ShownChange {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: { readonly name: string; readonly path: string | null };
  /** Sentences about the differences. */
  readonly details: readonly string[];
}

/** Data of the audit log page. */
export interface AuditData {
  readonly changes: readonly ShownChange[];
  /** Choices of the user filter. */
  readonly people: readonly { readonly value: string; readonly label: string }[];
  readonly kinds: readonly AuditKind[];
  readonly filter: { readonly who: string; readonly kind: AuditKind | "" };
  /** URL of the older changes; null on the last page. */
  readonly olderPath: string | null;
  readonly isFirst: boolean;
  /** URL of the first page with the same filter. */
  readonly firstPath: string;
}

/** The audit log. */
export const auditPage: AdminPageSpec<AuditData> = { load: loadChanges };

async function loadChanges(request: AdminRequest): Promise<AuditData> {
  const { chat, realm, query } = request;
  const filter = readFilter(query);
  const cursor = query.get("cursor");
  const [directory, permissions, page] = await Promise.all([
    readDirectory(chat, realm.id),
    peekPermissionContext(chat, realm),
    readPage(request, filter, cursor),
  ]);
  const reader = { request, directory, permissions };
  return {
    changes: page.changes.map((change) => toShown(reader, change)),
    people: listPeople(request, directory, filter.who),
    kinds: KINDS,
    filter,
    olderPath: page.next === null ? null : toPath({ ...filter, cursor: page.next }),
    isFirst: cursor === null,
    firstPath: toPath(filter),
  };
}

type Filter = AuditData["filter"];

const KINDS: readonly AuditKind[] = [
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

function readFilter(query: URLSearchParams): Filter {
  const who = query.get("who") ?? "";
  const kind = KINDS.find((known) => known === query.get("kind"));
  return {
    who: who === OPERATOR || /^\d{1,15}$/.test(who) ? who : "",
    kind: kind !== undefined && kind in AUDIT_ACTIONS ? kind : "",
  };
}

/** An invalid cursor leads to the newest changes. */
async function readPage({ chat, realm }: AdminRequest, { who, kind }: Filter, cursor: string | null) {
  const query = {
    limit: PAGE_SIZE,
    actingUserId: who === "" ? undefined : who === OPERATOR ? null : Number(who),
    kind: kind === "" ? undefined : kind,
  };
  try {
    return await listAuditRecords(chat, realm, { ...query, cursor });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return await listAuditRecords(chat, realm, { ...query, cursor: null });
  }
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

function toShown(reader: DetailReader, change: AuditRecord): ShownChange {
  const { time, action, target } = change;
  return {
    ...{ time, action, actor: toActor(reader, change.acting_user_id) },
    target: { name: target.name, path: pathOfTarget(target) },
    details: toShownDetails(reader, change),
  };
}

function toActor({ request, directory }: DetailReader, id: number | null): AuditActor {
  if (id === null) return { name: request.messages.audit.operator, path: null };
  const user = directory.byId.get(id);
  return user === undefined
    ? { name: request.messages.audit.formerUser, path: null }
    : { name: user.full_name, path: `/admin/users/${id}` };
}
