import type { AuditKind, AuditTarget } from "@/lib/chat/audit/model.ts";

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
export function pathOfTarget({ kind, id }: AuditTarget): string | null {
  const own = OWN_PAGES[kind];
  if (own !== undefined) return id === 0 ? own : `${own}/${id}`;
  return SHARED_PAGES[kind] ?? null;
}
