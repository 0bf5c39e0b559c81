import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";

/** A page of the admin navigation. */
export interface NavItem {
  readonly path: string;
  readonly name: keyof Messages["shell"]["pages"];
  /** Key that opens the page after `g`. */
  readonly shortcut: string;
  /** Paths of other pages below which it is the current one. */
  readonly includes?: readonly string[];
  /** Most frequent action on the page, if it has a name of its own. */
  readonly action?: keyof Messages["shell"]["actions"];
  /** Address of that action, if it is not the page's. */
  readonly actionPath?: string;
}

/** Address of the invitations page with the form open. */
export const INVITE_PATH = "/admin/invitations?kind=email";

/** Pages about the organization, in the order of the navigation. */
const ORGANIZATION_NAV_ITEMS: readonly NavItem[] = [
  { path: "/admin", name: "overview", shortcut: "o" },
  {
    path: "/admin/invitations",
    name: "invitations",
    shortcut: "i",
    action: "invitations",
    actionPath: INVITE_PATH,
  },
  { path: "/admin/linkifiers", name: "linkifiers", shortcut: "l", action: "linkifiers" },
  { path: "/admin/playgrounds", name: "playgrounds", shortcut: "y", action: "playgrounds" },
  { path: "/admin/profile-fields", name: "profileFields", shortcut: "p", action: "profileFields" },
  { path: "/admin/channel-folders", name: "channelFolders", shortcut: "f", action: "channelFolders" },
  {
    path: "/admin/users",
    includes: ["/admin/bots", "/admin/bulk-actions"],
    name: "users",
    shortcut: "u",
  },
  { path: "/admin/channels", name: "channels", shortcut: "c" },
  { path: "/admin/groups", name: "groups", shortcut: "g" },
  { path: "/admin/organization", name: "organization", shortcut: "s" },
  { path: "/admin/activity", name: "activity", shortcut: "v" },
  { path: "/admin/audit", name: "audit", shortcut: "a" },
];

/** Pages about the server as a whole. */
const SERVER_NAV_ITEMS: readonly NavItem[] = [
  { path: "/admin/links", name: "links", shortcut: "k" },
  { path: "/admin/stats", name: "stats", shortcut: "t" },
];

/** A page of another one, for those who may not open that one. */
const EMOJI_NAV_ITEM: NavItem = { path: "/admin/organization/emoji", name: "emoji", shortcut: "e" };

type Viewer = Pick<AdminSession, "opens">;

/** Returns the pages about the organization that a user may open. */
export function listOrganizationNavItems({ opens }: Viewer): readonly NavItem[] {
  const others = opens("/admin/organization") ? [] : [EMOJI_NAV_ITEM];
  return [...ORGANIZATION_NAV_ITEMS, ...others].filter(({ path }) => opens(path));
}

/** Returns the server pages that a user may open. */
export function listServerNavItems({ opens }: Viewer): readonly NavItem[] {
  return SERVER_NAV_ITEMS.filter(({ path }) => opens(path));
}

/** Returns all pages of the navigation that a user may open. */
export function listNavItems(viewer: Viewer): readonly NavItem[] {
  return [...listOrganizationNavItems(viewer), ...listServerNavItems(viewer)];
}
