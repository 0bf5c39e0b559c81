import { type AuditKind, type AuditTarget, isRevertible } from "@/lib/chat/organization/audit/model.ts";
import { BULK_ACTION_KEPT_MS } from "@/lib/chat/register/bulk_actions/bulk_actions.ts";
import { type DescribedChange, type DetailReader, isOfMany } from "./details.ts";

/** An audit entry as pages show it. */
export type ShownChange = ReturnType<typeof toShown>;

/** The part of a reader that names the acting users. */
type ActorReader = Pick<DetailReader, "request" | "directory">;

/** A name with the path of its page, if it has one. */
interface Named {
  readonly name: string;
  readonly path: string | null;
}

/** Returns a change as pages show it. */
export function toShown(
  reader: ActorReader,
  change: Omit<DescribedChange, "values">,
  { isReverted = false } = {},
) {
  const { id, time, action, target, sentences, reverts = null } = change;
  const many = toMany(reader, change);
  const canRevert = isRevertible(change) && many === null;
  return {
    ...{ id, time, action, sentences },
    actor: toActor(reader, change.acting_user_id),
    // A deleted link has no page.
    target: many ?? { name: target.name, path: action === "link_deleted" ? null : pathOfTarget(target) },
    // A change that could be reverted by an earlier version has no page any more.
    reverts: canRevert ? reverts : null,
    canRevert,
    isReverted,
  };
}

/**
 * Returns the links that were changed together, or the users whom a bulk action changed, with its page as long as it is
 * kept; null for other changes.
 */
function toMany(
  { request: { chat, t } }: ActorReader,
  { time, action, details: { bulk_action: id, count } }: Pick<DescribedChange, "time" | "action" | "details">,
): Named | null {
  if (!isOfMany(action)) return null;
  if (id === undefined) return { name: t(LINKS, { count: Number(count) }), path: "/admin/links" };
  const isKept = chat.clock.now() - time < BULK_ACTION_KEPT_MS;
  return { name: t(USERS, { count: Number(count) }), path: isKept ? `/admin/bulk-actions/${id}` : null };
}

const LINKS = { one: "{count} short link", other: "{count} short links" };
const USERS = { one: "{count} user", other: "{count} users" };

/** Returns the user who made a change; without a path they have no page. */
export function toActor({ request: { t }, directory }: ActorReader, id: number | null): Named {
  if (id === null) return { name: t("Server operator"), path: null };
  const user = directory.byId.get(id);
  return user === undefined
    ? { name: t("Former user"), path: null }
    : { name: user.full_name, path: `/admin/users/${id}` };
}

/** Pages of the kinds of targets; `{id}` in those of one target. */
const PAGES: Partial<Record<AuditKind, string>> = {
  user: "/admin/users/{id}",
  bot: "/admin/users/{id}",
  group: "/admin/groups/{id}",
  channel: "/admin/channels/{id}",
  folder: "/admin/channel-folders/{id}",
  link: "/admin/links/{id}",
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
  return PAGES[kind]?.replace(/\/\{id\}$/, id === 0 ? "" : `/${id}`) ?? null;
}
