import assert from "node:assert/strict";
import { type AdminSamples, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import type { AdminCast } from "./admin_cast.ts";

/** An image of one pixel. */
const EMOJI = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Names of the samples, which no page contains otherwise. */
export const SAMPLE_NAMES: readonly string[] = [
  "Rosebeds",
  "What grows where",
  "Wheelbarrow-(?P<id>[0-9]+)",
  "Compost",
  "Allotment",
  "Pruners",
  "Favorite flower",
  "allotment.example",
  "invited@example.com",
  "sprout",
  "https://example.com/compost",
  "example.com/compost",
  "https://example.com/ticket/{id}",
];

/** Returns the path of every admin page, with existing records as parameters. */
export async function adminPaths(cast: AdminCast): Promise<readonly string[]> {
  const samples = await createSamples(cast);
  return listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) => toAdminPath(pattern, samples));
}

/** Creates one record of each kind that has a page. */
async function createSamples(cast: AdminCast): Promise<AdminSamples> {
  const call = (endpoint: string, params = {}) => cast.call("owner", endpoint, params);
  const folder = await call("POST /channel_folders/create", {
    name: "Rosebeds",
    description: "What grows where",
  });
  const channel = await call("POST /channels/create", { name: "Compost", subscribers: [] });
  const group = await call("POST /user_groups/create", {
    name: "Pruners",
    description: "Allotment",
    members: [],
  });
  const linkifier = await call("POST /realm/filters", {
    pattern: "Wheelbarrow-(?P<id>[0-9]+)",
    url_template: "https://example.com/ticket/{id}",
  });
  const field = await call("POST /realm/profile_fields", { field_type: 1, name: "Favorite flower" });
  await call("POST /invites", {
    invitee_emails: "invited@example.com",
    stream_ids: [],
    invite_expires_in_minutes: 1440,
  });
  await call("POST /invites/multiuse", { stream_ids: [], invite_expires_in_minutes: 1440 });
  await call("POST /realm/emoji/sprout", { file: new File([EMOJI], "sprout.png", { type: "image/png" }) });
  await call("POST /realm/domains", { domain: "allotment.example", allow_subdomains: false });
  const { invites } = await call("GET /invites", {});
  const invite = (isLink: boolean) => {
    const found = invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink);
    return String(found.id);
  };
  const { members } = await call("GET /users", {});
  return {
    "channel-folders": String(folder["channel_folder_id"]),
    "channels": String(channel["id"]),
    "groups": String(group["group_id"]),
    "linkifiers": String(linkifier["id"]),
    "profile-fields": String(field["id"]),
    "emoji": "sprout",
    "stats": await shorten(cast),
    "domains": "allotment.example",
    "email": invite(false),
    "link": invite(true),
    "users": String(members.at(-1).user_id),
  };
}

/** Shortens a URL and returns the id as encoded in a path. */
async function shorten({ site }: AdminCast): Promise<string> {
  const response = await fetch(site.baseUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/compost" }),
  });
  const { short } = await response.json();
  assert.equal(response.ok, true);
  return encodeURIComponent(short);
}
