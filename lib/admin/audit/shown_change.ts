import {
  type AuditAction,
  type AuditKind,
  type AuditTarget,
  isRevertible,
} from "@/lib/chat/organization/audit/model.ts";
import { BULK_ACTION_KEPT_MS } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import type { DescribedChange } from "./audit_search.ts";
import type { DetailReader } from "./detail_reader.ts";

/** User who made a change; without a path they have no page. */
interface AuditActor {
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

/** The part of a reader that names the acting users. */
type ActorReader = Pick<DetailReader, "request" | "directory">;

/** Returns a change as pages show it. */
export function toShown(reader: ActorReader, change: DescribedChange, isReverted: boolean): ShownChange {
  const { id, time, action, target, reverts } = change;
  const many = toManyUsers(reader, change);
  const canRevert = isRevertible(change) && many === null;
  return {
    id,
    time,
    action,
    actor: toActor(reader, change.acting_user_id),
    // A change that could be reverted by an earlier version has no page any more.
    reverts: canRevert ? reverts ?? null : null,
    reversal: isReverted ? "done" : canRevert ? "possible" : "none",
    target: many ?? { name: target.name, path: pathOfTarget(target) },
    details: change.sentences,
  };
}

/** Returns the users whom a bulk action changed, with its page as long as it is kept; null for other changes. */
function toManyUsers(
  { request }: ActorReader,
  { time, details }: DescribedChange,
): ShownChange["target"] | null {
  const { bulk_action: id, count } = details;
  if (id === undefined) return null;
  const { chat, formatter, messages } = request;
  const isKept = chat.clock.now() - time < BULK_ACTION_KEPT_MS;
  return {
    name: formatter.t(messages.audit.users, { count: Number(count) }),
    path: isKept ? `/admin/bulk-actions/${id}` : null,
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

/** Pages of targets with a page of their own, by id. */
const OWN_PAGES: Partial<Record<AuditKind, string>> = {
  user: "/admin/users",
  bot: "/admin/users",
  group: "/admin/groups",
  channel: "/admin/channels",
  folder: "/admin/channel-folders",
  link: "/admin/links",
};
/** Pages that list several targets. */
const SHARED_PAGES: Partial<Record<AuditKind, string>> = {
  realm: "/admin/organization",
  domain: "/admin/organization",
  invite: "/admin/invitations",
  invite_link: "/admin/invitations",
  linkifier: "/admin/linkifiers",
  playground: "/admin/playgrounds",
  profile_field: "/admin/profile-fields",
  blocked_host: "/admin/links/hosts",
};

/** Returns the page that shows a target; null without one. */
function pathOfTarget({ kind, id }: AuditTarget): string | null {
  const own = OWN_PAGES[kind];
  if (own !== undefined) return id === 0 ? own : `${own}/${id}`;
  return SHARED_PAGES[kind] ?? null;
}
