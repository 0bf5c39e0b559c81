import type { AuditKind, AuditTarget } from "@/lib/chat/audit/change.ts";

/** The pages of things that have their own, by id. */
const OWN_PAGES: Partial<Record<AuditKind, string>> = {
  user: "/admin/users",
  bot: "/admin/users",
  group: "/admin/groups",
  channel: "/admin/channels",
  folder: "/admin/channel-folders",
};
/** The pages of things that are shown together. */
const SHARED_PAGES: Partial<Record<AuditKind, string>> = {
  realm: "/admin/organization",
  domain: "/admin/organization",
  invite: "/admin/invitations",
  invite_link: "/admin/invitations",
  linkifier: "/admin/linkifiers",
  profile_field: "/admin/profile-fields",
};

/** The page on which a thing is to be seen; null where it is on none. */
export function pathOfTarget({ kind, id }: AuditTarget): string | null {
  const own = OWN_PAGES[kind];
  if (own !== undefined) return id === 0 ? own : `${own}/${id}`;
  return SHARED_PAGES[kind] ?? null;
}
