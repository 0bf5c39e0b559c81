import type { Words } from "@/lib/ui/words/catalogue.ts";

/** A page of the navigation. */
export interface AdminPlace {
  readonly path: string;
  readonly name: keyof Words["shell"]["places"];
}

/** The pages about the organization, in the order of the navigation. */
export const ORGANIZATION_PLACES: readonly AdminPlace[] = [
  { path: "/admin", name: "overview" },
  { path: "/admin/invitations", name: "invitations" },
  { path: "/admin/linkifiers", name: "linkifiers" },
  { path: "/admin/profile-fields", name: "profileFields" },
  { path: "/admin/channel-folders", name: "channelFolders" },
  { path: "/admin/users", name: "users" },
  { path: "/admin/channels", name: "channels" },
  { path: "/admin/groups", name: "groups" },
  { path: "/admin/organization", name: "organization" },
  { path: "/admin/audit", name: "audit" },
];

/** The pages about the server as a whole. */
export const SERVER_PLACES: readonly AdminPlace[] = [{ path: "/admin/stats", name: "stats" }];
