import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";

/** A page of the admin navigation. */
export interface NavItem {
  readonly path: string;
  readonly name: Phrase;
  /** Key that opens the page after `g`. */
  readonly shortcut: string;
  /** Paths of other pages below which it is the current one. */
  readonly includes?: readonly string[];
  /** Most frequent action on the page, if it has a name of its own. */
  readonly action?: Phrase;
  /** Address of that action, if it is not the page's. */
  readonly actionPath?: string;
  /** Path of the page that those who may open it have instead. */
  readonly insteadOf?: string;
  /** Whether the page is about the server as a whole. */
  readonly isOfServer?: boolean;
}

/** Address of the invitations page with the form open. */
export const INVITE_PATH = "/admin/invitations?kind=email";

/** Pages in the order of the navigation. */
const NAV_ITEMS: readonly NavItem[] = [
  { path: "/admin", name: "Overview", shortcut: "o" },
  {
    path: "/admin/invitations",
    name: "Invitations",
    shortcut: "i",
    action: "Invite people",
    actionPath: INVITE_PATH,
  },
  { path: "/admin/linkifiers", name: "Linkifiers", shortcut: "l", action: "Add linkifier" },
  { path: "/admin/playgrounds", name: "Code playgrounds", shortcut: "y", action: "Add code playground" },
  { path: "/admin/profile-fields", name: "Profile fields", shortcut: "p", action: "Add profile field" },
  { path: "/admin/channel-folders", name: "Channel folders", shortcut: "f", action: "Create folder" },
  { path: "/admin/users", includes: ["/admin/bots", "/admin/bulk-actions"], name: "Users", shortcut: "u" },
  { path: "/admin/channels", name: "Channels", shortcut: "c" },
  { path: "/admin/groups", name: "Groups", shortcut: "g" },
  { path: "/admin/organization", name: "Organization", shortcut: "s" },
  { path: "/admin/activity", name: "Activity", shortcut: "v" },
  { path: "/admin/audit", name: "Audit log", shortcut: "a" },
  {
    path: "/admin/organization/emoji",
    name: "Custom emoji",
    shortcut: "e",
    insteadOf: "/admin/organization",
  },
  { path: "/admin/links", name: "Short links", shortcut: "k", isOfServer: true },
  { path: "/admin/stats", name: "Statistics", shortcut: "t", isOfServer: true },
];

/** Returns the pages of the navigation that a user may open. */
export function listNavItems({ opens }: Pick<AdminSession, "opens">): readonly NavItem[] {
  return NAV_ITEMS.filter(({ path, insteadOf }) =>
    opens(path) && (insteadOf === undefined || !opens(insteadOf))
  );
}

/** Returns the actions of these pages, each with the name of its page. */
export function listNavActions({ opens, t }: Pick<AdminSession, "opens" | "t">) {
  return listNavItems({ opens }).flatMap(({ path, name, action, actionPath = path }) =>
    action === undefined ? [] : [{ path: actionPath, name: t(action), about: t(name) }]
  );
}
