import assert from "node:assert/strict";
import { type AdminSamples, listAdminRoutes, toAdminPath } from "@/tests/helpers/admin_routes.ts";
import type { AdminCast } from "./admin_cast.ts";

/** A picture of one point. */
const EMOJI = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** What the organization of the samples is about; texts that no page says by itself. */
export const SAMPLE_NAMES: readonly string[] = [
  "Rosebeds",
  "What grows where",
  "Wheelbarrow-(?P<id>[0-9]+)",
  "Compost",
  "Allotment",
  "Pruners",
  "Favourite flower",
  "allotment.example",
  "invited@example.com",
  "sprout",
  "https://example.com/compost",
  "example.com/compost",
  "https://example.com/ticket/{id}",
];

/** The path of every admin page, with something there that it is about. */
export async function adminPaths(cast: AdminCast): Promise<readonly string[]> {
  const samples = await makeSamples(cast);
  return listAdminRoutes().filter(({ isPage }) => isPage).map(({ pattern }) => toAdminPath(pattern, samples));
}

/** Makes one thing of each kind that a page is about. */
async function makeSamples(cast: AdminCast): Promise<AdminSamples> {
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
  const field = await call("POST /realm/profile_fields", { field_type: 1, name: "Favourite flower" });
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

/** Makes a short link and gives its id as it stands in a path. */
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
