import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditKind,
  type AuditRecord,
} from "@/lib/chat/audit/change.ts";
import { listChanges } from "@/lib/chat/audit/list_changes.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { type Directory, readDirectory } from "@/lib/chat/users/directory.ts";
import { isAdmin, isBot } from "@/lib/chat/users/user.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { AdminPageSpec } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import { type DetailReader, toShownDetails } from "./audit_details.ts";
import { pathOfTarget } from "./audit_targets.ts";

/** Changes of one page. */
const PAGE_SIZE = 50;
/** The value of the filter for changes at the command line. */
const OPERATOR = "operator";
/** The most people that the filter offers. */
const MAX_OFFERED = 100;

/** Somebody who changed something; without a path he has no page. */
export interface AuditActor {
  readonly name: string;
  readonly path: string | null;
}

/** One change as the log shows it. */
export interface ShownChange {
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: { readonly name: string; readonly path: string | null };
  /** Sentences about what is other than before. */
  readonly details: readonly string[];
}

/** What the audit log shows. */
export interface AuditData {
  readonly changes: readonly ShownChange[];
  /** Who can be chosen, by the value of the filter. */
  readonly people: readonly { readonly value: string; readonly label: string }[];
  readonly kinds: readonly AuditKind[];
  readonly filter: { readonly who: string; readonly kind: AuditKind | "" };
  /** The page's address for the changes before these; null on the last page. */
  readonly olderPath: string | null;
  readonly isFirst: boolean;
  /** The address of the first page with the same filter. */
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

/** A cursor that is not one of ours leads to the newest changes. */
async function readPage({ chat, realm }: AdminRequest, { who, kind }: Filter, cursor: string | null) {
  const query = {
    limit: PAGE_SIZE,
    actingUserId: who === "" ? undefined : who === OPERATOR ? null : Number(who),
    kind: kind === "" ? undefined : kind,
  };
  try {
    return await listChanges(chat, realm, { ...query, cursor });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return await listChanges(chat, realm, { ...query, cursor: null });
  }
}

function toPath(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  return query.size === 0 ? "/admin/audit" : `/admin/audit?${query}`;
}

function listPeople(
  { words }: AdminRequest,
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
    { value: "", label: words.audit.anybody },
    ...offered.map(({ id, full_name }) => ({ value: String(id), label: full_name })),
    { value: OPERATOR, label: words.audit.operator },
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
  if (id === null) return { name: request.words.audit.operator, path: null };
  const user = directory.byId.get(id);
  return user === undefined
    ? { name: request.words.audit.somebody, path: null }
    : { name: user.full_name, path: `/admin/users/${id}` };
}
