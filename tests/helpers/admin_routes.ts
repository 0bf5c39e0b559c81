import assert from "node:assert/strict";

const FOLDER = new URL("../../routes/admin/", import.meta.url);

/** A route file of the admin pages. */
export interface AdminRoute {
  /** `/admin/channel-folders/[id]` */
  readonly pattern: string;
  /** Whether it shows something; else it is a form's address or a download. */
  readonly isPage: boolean;
}

/** Makes one thing by `METHOD /path` of the API and gives the answer's body. */
// deno-lint-ignore no-explicit-any
export type CallApi = (endpoint: string, params: Record<string, unknown>) => Promise<Record<string, any>>;

/** What stands in the place of a route's parameters: by the segment before them. */
export type AdminSamples = Readonly<Record<string, string>>;

/** Every admin route, by the files in `routes/admin`. */
export function listAdminRoutes(): readonly AdminRoute[] {
  return walk(FOLDER, "/admin").sort((one, other) => one.pattern.localeCompare(other.pattern));
}

function walk(folder: URL, path: string): AdminRoute[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (name.startsWith("_") || name.startsWith("(_")) return [];
    if (isDirectory) {
      return walk(new URL(`${name}/`, folder), name.startsWith("(") ? path : `${path}/${name}`);
    }
    const [, base = "", kind] = /^(.+)\.(tsx?)$/.exec(name) ?? [];
    if (kind === undefined) return [];
    return [{ pattern: base === "index" ? path : `${path}/${base}`, isPage: kind === "tsx" }];
  });
}

/** A route's path with samples in the place of its parameters: those of the nearest segment that has one. */
export function toAdminPath(pattern: string, samples: AdminSamples): string {
  const before: string[] = [];
  return pattern.split("/").map((segment) => {
    if (!segment.startsWith("[")) {
      before.unshift(segment);
      return segment;
    }
    const sample = before.map((name) => samples[name]).find((found) => found !== undefined);
    assert.ok(sample, `Say in tests/helpers/admin_routes.ts what stands for ${segment} in ${pattern}`);
    return sample;
  }).join("/");
}

/** What the organization of the samples is about; texts that no page says by itself. */
export const SAMPLE_NAMES: readonly string[] = [
  "Rosebeds",
  "What grows where",
  "Wheelbarrow",
  "Compost",
  "Allotment",
  "Pruners",
  "Favourite flower",
  "allotment.example",
  "invited@example.com",
  "https://example.com/ticket/{id}",
];

/** Makes one thing of each kind that a page is about. */
export async function makeSamples(call: CallApi): Promise<AdminSamples> {
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
    "domains": "allotment.example",
    "email": invite(false),
    "link": invite(true),
    "users": String(members.at(-1).user_id),
  };
}
