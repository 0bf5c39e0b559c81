import type { AdminSamples } from "./admin_routes.ts";
import type { TestChat } from "./chat.ts";

/** An image of one pixel. */
const EMOJI = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Body of a response. */
// deno-lint-ignore no-explicit-any
type ResponseBody = Record<string, any>;

/** Requests that create samples. */
export interface SampleMaker {
  /** Calls `METHOD /path` below /api/v1 as an owner and returns the body of a success. */
  readonly call: (endpoint: string, params?: Readonly<Record<string, unknown>>) => Promise<ResponseBody>;
  /** Shortens `https://example.com/compost` and returns the id as encoded in a path. */
  readonly shorten: () => Promise<string>;
  /** Requests an admin page, or sends a form of it, as a signed-in owner; follows no redirects. */
  readonly visit: (path: string, form?: URLSearchParams) => Promise<Response>;
}

/** Creates one record of each kind that has a page. */
export async function createAdminSamples({ call, shorten, visit }: SampleMaker): Promise<AdminSamples> {
  const folder = await call("POST /channel_folders/create", {
    name: "Rosebeds",
    description: "What grows where",
  });
  const channel = await call("POST /channels/create", { name: "Compost", subscribers: [] });
  await call(`PATCH /streams/${channel["id"]}`, { description: "What becomes of leaves" });
  const group = await call("POST /user_groups/create", {
    name: "Pruners",
    description: "Allotment",
    members: [],
  });
  const linkifier = await call("POST /realm/filters", {
    pattern: "Wheelbarrow-(?P<id>[0-9]+)",
    url_template: "https://example.com/ticket/{id}",
  });
  const playground = await call("POST /realm/playgrounds", {
    name: "Sandpit",
    pygments_language: "Python",
    url_template: "https://example.com/sandpit{?code}",
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
  const bot = await call("POST /bots", { full_name: "Weather", short_name: "weather", bot_type: 2 });
  const { invites } = await call("GET /invites");
  const invite = (isLink: boolean) => {
    const found = invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink);
    return String(found.id);
  };
  const { members } = await call("GET /users");
  // A change that can be reverted.
  await call("PATCH /realm", { description: "Gardeners" });
  return {
    "channel-folders": String(folder["channel_folder_id"]),
    "channels": String(channel["id"]),
    "groups": String(group["group_id"]),
    "linkifiers": String(linkifier["id"]),
    "playgrounds": String(playground["id"]),
    "profile-fields": String(field["id"]),
    "emoji": "sprout",
    "links": await shorten(),
    "stats": await shorten(),
    "domains": "allotment.example",
    "email": invite(false),
    "link": invite(true),
    "bots": String(bot["user_id"]),
    "users": String(members.findLast(({ is_bot }: ResponseBody) => !is_bot).user_id),
    "audit": findRevertible(await (await visit("/admin/audit")).text()),
    "bulk-actions": await startBulkAction(visit, members.at(-1)),
  };
}

/** Returns the id of the latest change that the page of the audit log can revert; "" without one. */
export function findRevertible(html: string): string {
  return /href="\/admin\/audit\/([^/"]+)\/revert"/.exec(html)?.[1] ?? "";
}

/** Starts a bulk action that leaves a user as they are, and returns its id. */
async function startBulkAction(
  visit: SampleMaker["visit"],
  { user_id, role }: { user_id: number; role: number },
): Promise<string> {
  const path = `/admin/bulk-actions/confirm?user=${user_id}&what=set_role&to=${role}`;
  const seen = /name="seen" value="([^"]+)"/.exec(await (await visit(path)).text())?.[1] ?? "";
  const form = { action: "apply", seen };
  const response = await visit(path, new URLSearchParams(form));
  await response.body?.cancel();
  return response.headers.get("location")?.split("/").at(-1) ?? "";
}

/** Permissions that open admin pages to others than administrators. */
const OPENING = [
  "can_add_custom_emoji_group",
  "can_create_groups",
  "can_create_private_channel_group",
  "can_create_public_channel_group",
  "can_invite_users_group",
  "create_multiuse_invite_group",
];

/** Reserves to owners the permissions that open admin pages. */
export async function closePages(chat: TestChat): Promise<void> {
  const owners = chat.realm.first_system_group_id + 1;
  await chat.call(
    chat.owner,
    "PATCH /realm",
    Object.fromEntries(OPENING.map((name) => [name, { new: owners }])),
  );
}
