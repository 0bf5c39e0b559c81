/** A section of the administrator's guide. */
interface HelpSection {
  /** Title, in the words of the guide. */
  readonly title: string;
  readonly path: string;
}

/** Sections of the documents in docs/admin, by the path of the page that they describe, with the pages below it. */
const SECTIONS: Readonly<Record<string, string>> = {
  "/admin": "overview/Overview",
  "/admin/find": "overview/Finding things",
  "/admin/shortcuts": "overview/Keyboard shortcuts",
  "/admin/users": "people/Users",
  "/admin/users/import": "people/Importing users",
  "/admin/users/[id]/permissions": "permissions/Why can they",
  "/admin/bulk-actions": "people/Bulk actions",
  "/admin/bots": "people/Bots",
  "/admin/invitations": "people/Invitations",
  "/admin/channels": "channels/Channels",
  "/admin/channels/[id]/permissions": "permissions/Why can they",
  "/admin/channel-folders": "channels/Channel folders",
  "/admin/groups": "channels/Groups",
  "/admin/organization": "organization/Settings",
  "/admin/organization/permissions": "permissions/Permissions of the organization",
  "/admin/organization/permissions/who": "permissions/Who can",
  "/admin/organization/emoji": "organization/Custom emoji",
  "/admin/organization/status": "organization/Status",
  "/admin/linkifiers": "organization/Linkifiers",
  "/admin/playgrounds": "organization/Code playgrounds",
  "/admin/profile-fields": "organization/Profile fields",
  "/admin/activity": "log/Activity",
  "/admin/audit": "log/Audit log",
  "/admin/links": "links/Short links",
  "/admin/stats": "links/Statistics",
};

/** Returns the section of the guide about an admin page, whose path is that of its route. */
export function findHelp(path: string): HelpSection {
  let at = path;
  while (SECTIONS[at] === undefined && at !== "") at = at.slice(0, at.lastIndexOf("/"));
  const [document = "", title = ""] = (SECTIONS[at] ?? "").split("/");
  return { title, path: `/docs/admin/${document}#${title.toLowerCase().replaceAll(" ", "-")}` };
}
