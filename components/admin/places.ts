import type { Words } from "@/lib/ui/words/catalogue.ts";

/** A page of the navigation. */
export interface AdminPlace {
  readonly path: string;
  readonly name: keyof Words["shell"]["places"];
  /** The key that leads there after `g`. */
  readonly shortcut: string;
  /** What one most often comes for, where that has a name of its own. */
  readonly deed?: keyof Words["shell"]["deeds"];
}

/** The pages about the organization, in the order of the navigation. */
export const ORGANIZATION_PLACES: readonly AdminPlace[] = [
  { path: "/admin", name: "overview", shortcut: "o" },
  { path: "/admin/invitations", name: "invitations", shortcut: "i", deed: "invitations" },
  { path: "/admin/linkifiers", name: "linkifiers", shortcut: "l", deed: "linkifiers" },
  { path: "/admin/profile-fields", name: "profileFields", shortcut: "p", deed: "profileFields" },
  { path: "/admin/channel-folders", name: "channelFolders", shortcut: "f", deed: "channelFolders" },
  { path: "/admin/users", name: "users", shortcut: "u" },
  { path: "/admin/channels", name: "channels", shortcut: "c" },
  { path: "/admin/groups", name: "groups", shortcut: "g" },
  { path: "/admin/organization", name: "organization", shortcut: "s" },
  { path: "/admin/audit", name: "audit", shortcut: "a" },
];

/** The pages about the server as a whole. */
const SERVER_PLACES: readonly AdminPlace[] = [{ path: "/admin/stats", name: "stats", shortcut: "t" }];

/** The pages about the server that an organization's administrators have: none but those of the main one. */
export function serverPlacesOf(realm: { readonly subdomain: string }): readonly AdminPlace[] {
  return realm.subdomain === "" ? SERVER_PLACES : [];
}

/** Every page of the navigation that an organization's administrators have. */
export function placesOf(realm: { readonly subdomain: string }): readonly AdminPlace[] {
  return [...ORGANIZATION_PLACES, ...serverPlacesOf(realm)];
}
