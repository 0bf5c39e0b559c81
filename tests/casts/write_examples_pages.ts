import assert from "node:assert/strict";
import { revisionOf } from "@/lib/admin/revision.ts";
import { FORM } from "@/tests/casts/admin_invitations_cast.ts";
import { readForm } from "@/tests/casts/form_cast.ts";
import { JOIN_FORM } from "@/tests/casts/join_cast.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";
import { TUS, type WriteCast } from "@/tests/casts/write_cast.ts";
import type { WriteExample } from "@/tests/casts/write_examples.ts";
import { listAllRoutes } from "@/tests/helpers/admin_routes.ts";
import { jsonBody } from "@/tests/helpers/app.ts";
import { basic, PASSWORD } from "@/tests/helpers/chat.ts";

const NEW_PASSWORD = "violet kettle seldom 42";

/** Lists valid requests of the shortener and of resumable uploads. */
export function listOtherExamples(cast: WriteCast): readonly WriteExample[] {
  const { request, short, tus, member, samples } = cast;
  const url = "https://example.com/new";
  const headers = { ...TUS, authorization: basic(member.email, member.apiKey) };
  const part = { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const begin = { ...headers, "upload-length": "5" };
  return [
    { endpoint: "POST /", face: "links", send: () => request("/", jsonBody({ url })) },
    { endpoint: "GET /{short}", face: "links", send: () => request(short) },
    ...listLinkExamples(cast),
    {
      endpoint: "POST /api/v1/external/json",
      face: "chat",
      send: () =>
        request(`/api/v1/external/json?api_key=${samples["webhook_key"]}`, jsonBody({ text: "hi" })),
    },
    {
      endpoint: "POST /api/v1/tus",
      face: "tus",
      send: () => request("/api/v1/tus", { method: "POST", headers: begin }),
    },
    {
      endpoint: "PATCH /api/v1/tus/{upload_id}",
      face: "tus",
      send: () => request(tus, { method: "PATCH", headers: part, body: "hello" }),
    },
    {
      endpoint: "DELETE /api/v1/tus/{upload_id}",
      face: "tus",
      send: () => request(tus, { method: "DELETE", headers }),
    },
  ];
}

/** Lists valid requests that manage links. */
function listLinkExamples({ request, short, owner }: WriteCast): readonly WriteExample[] {
  const id = idOf(short);
  const write = (
    method: string,
    [pattern, path]: readonly [string, string],
    body?: unknown,
  ): WriteExample => ({
    endpoint: `${method} ${pattern}`,
    face: "links",
    send: () => {
      const headers = { authorization: basic(owner.email, owner.apiKey), "content-type": "application/json" };
      return request(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    },
  });
  const one = ["/links/{short}", `/links${short}`] as const;
  const all = ["/links", "/links"] as const;
  return [
    write("POST", all, { url: "https://example.com/new", title: "New page" }),
    write("PATCH", all, { shorts: [id], addedTags: ["kept"] }),
    write("DELETE", all, { shorts: [id], visits: "delete" }),
    write("PATCH", one, { isDisabled: true }),
    write("DELETE", [one[0], `${one[1]}?visits=keep`]),
    write("POST", ["/blocked-hosts", "/blocked-hosts"], { host: "spam.example" }),
    write("DELETE", ["/blocked-hosts/{host}", "/blocked-hosts/blocked.example"]),
  ];
}

/** Lists valid forms of the pages for accounts. */
export function listAccountForms(cast: WriteCast): readonly WriteExample[] {
  const { member, links, cookies, samples } = cast;
  const form = (pattern: string, fields: Fields, options: FormOptions = {}) =>
    toFormWrite(cast, { pattern, fields, ...options });
  const account = (action: string, fields: Fields = {}) =>
    form("/account", { action, ...fields }, { cookie: cookies.member, action });
  return [
    form("/login", { username: member.email, password: PASSWORD }),
    form("/connect", {
      action: "send_message",
      channel: String(samples["stream_id"]),
      topic: "hello",
      content: "Hi",
    }, {
      cookie: cookies.member,
    }),
    form("/logout", {}, { cookie: cookies.member }),
    form("/forgot-password", { email: member.email }),
    form("/reset-password/{key}", { new_password: NEW_PASSWORD }, { path: links.reset }),
    form("/reset-password/{key}", { new_password: NEW_PASSWORD }, { path: links.signIn, action: "sign_in" }),
    form("/account/confirm-email/{key}", {}, { path: links.confirm }),
    form("/join/{key}", JOIN_FORM, { path: links.join }),
    form("/join/{key}", { ...JOIN_FORM, email: "ivo@example.com" }, {
      path: links.joinByLink,
      action: "link",
    }),
    account("name", { full_name: "Mona" }),
    account("email", { email: "mona@example.com", current_password: PASSWORD }),
    account("password", { old_password: PASSWORD, new_password: NEW_PASSWORD }),
    account("show_key", { password: PASSWORD }),
    account("rotate_key", { password: PASSWORD }),
    account("end_session", { session_id: "x" }),
    account("end_sessions"),
    account("theme", { theme: "dark" }),
    form("/admin/theme", { theme: "dark" }, { cookie: cookies.owner }),
  ];
}

type Fields = Readonly<Record<string, string | Blob>>;

interface FormOptions {
  /** Path where it differs from the pattern. */
  readonly path?: string;
  readonly cookie?: string;
  /** Name of the form's action on a page with several forms. */
  readonly action?: string;
}

interface SentForm extends FormOptions {
  readonly pattern: string;
  readonly fields: Fields;
}

function toFormWrite(cast: WriteCast, { pattern, path = pattern, cookie, action, fields }: SentForm) {
  const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin" });
  if (cookie !== undefined) headers.set("cookie", cookie);
  return {
    endpoint: action === undefined ? `POST ${pattern}` : `POST ${pattern} ${action}`,
    face: "page" as const,
    send: () => cast.request(path, { method: "POST", headers, body: toFormBody(fields) }),
  };
}

function toFormBody(fields: Fields): FormData | URLSearchParams {
  const body = Object.values(fields).some((value) => value instanceof Blob)
    ? new FormData()
    : new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") body.append(name, value);
    else if (body instanceof FormData) body.append(name, value, "picture.png");
  }
  return body;
}

/** Lists a valid form of every action of the administration pages. */
export async function listAdminForms(cast: WriteCast): Promise<readonly WriteExample[]> {
  const forms: WriteExample[] = [];
  for (const { pattern, actions } of await listFormActions(cast)) {
    const path = toAdminPath(cast, pattern);
    for (const action of actions) {
      const ofAction = OTHER_PATHS[`${pattern} ${action}`]?.(cast) ?? path;
      forms.push(await toAdminForm(cast, { pattern, path: ofAction, action }));
    }
  }
  return forms;
}

/** Lists the patterns of the administration pages with the actions of their forms. */
async function listFormActions({ services }: WriteCast) {
  const pages: { readonly pattern: string; readonly actions: readonly string[] }[] = [];
  for (const { path, load } of await listAllRoutes(services)) {
    const { handler } = Object(await load());
    const actions = Object(handler)["formActions"];
    if (Array.isArray(actions)) pages.push({ pattern: path, actions });
  }
  assert.ok(pages.length > 10);
  return pages;
}

function toAdminPath({ samples, ids, short }: WriteCast, pattern: string): string {
  const byFolder: Readonly<Record<string, string | number | undefined>> = {
    "channel-folders": samples["folder_id"],
    channels: samples["stream_id"],
    groups: samples["user_group_id"],
    email: 1,
    link: 1,
    linkifiers: samples["filter_id"],
    playgrounds: samples["playground_id"],
    domains: samples["domain"],
    emoji: samples["emoji_name"],
    "profile-fields": samples["field_id"],
    users: ids["leaver"],
    bots: ids["ownersBot"],
    "bulk-actions": ids["bulkAction"],
    audit: samples["audit_entry"],
    stats: idOf(short),
    links: idOf(short),
  };
  return pattern.replace(/([\w-]+)\/\{\w+\}/g, (_, folder: string) => {
    const sample = byFolder[folder];
    assert.ok(sample !== undefined, `Add a sample of ${pattern}`);
    return `${folder}/${encodeURIComponent(sample)}`;
  });
}

/** Returns the id of a short URL's path. */
function idOf(path: string): string {
  return decodeURIComponent(path.slice(1));
}

/** Fields that the forms' own values lack. */
const toFields = (
  { ids, samples, member, short, disabledShort }: WriteCast,
): Readonly<Record<string, Fields>> => ({
  "/admin/links shorten": { url: "https://example.com/new" },
  "/admin/links disable": { short: idOf(short) },
  "/admin/links enable": { short: idOf(disabledShort) },
  "/admin/links change_selected": { change: "disable", short: idOf(short) },
  "/admin/links delete_selected": { short: "none", visits: "keep" },
  "/admin/links/{short} enable": { short: idOf(disabledShort) },
  "/admin/links/{short} save": { url: "https://example.com/kept", title: "Kept page" },
  "/admin/links/hosts block": { host: "spam.example", confirmed: "spam.example" },
  "/admin/links/hosts unblock": { host: "blocked.example" },
  "/admin/channel-folders move_up": { id: `${ids["folder2"]}` },
  "/admin/channel-folders move_down": { id: `${samples["folder_id"]}` },
  "/admin/channel-folders reorder": { order: `${ids["folder2"]},${samples["folder_id"]}` },
  "/admin/channel-folders restore": { id: `${ids["closedFolder"]}` },
  "/admin/linkifiers move_up": { id: `${ids["filter2"]}` },
  "/admin/linkifiers move_down": { id: `${samples["filter_id"]}` },
  "/admin/linkifiers reorder": { order: `${ids["filter2"]},${samples["filter_id"]}` },
  "/admin/profile-fields move_up": { id: `${ids["field2"]}` },
  "/admin/profile-fields move_down": { id: `${samples["field_id"]}` },
  "/admin/profile-fields reorder": { order: `${ids["field2"]},${samples["field_id"]}` },
  "/admin/profile-fields card": { id: `${ids["field2"]}`, shown: "true" },
  "/admin/groups/{id} remove_people": { member: `${member.id}` },
  "/admin/groups/{id} add_group": { group: `${ids["group2"]}` },
  "/admin/groups/{id} remove_group": { group: `${ids["inner"]}` },
  "/admin/invitations create_link": OFFER,
  "/admin/invitations/revoke revoke": { chosen: "link-1" },
  "/admin/organization/emoji add": { name: "leaf", picture: file(PNG) },
  "/admin/organization icon": { icon: file(PNG) },
  "/admin/channel-folders create": { name: "Lawn" },
  "/admin/channel-folders/{id} save": { name: "Flower beds" },
  "/admin/channels/{id} add_members": { members: `leaver (${ids["leaver"]})` },
  "/admin/channels/{id} remove_members": { member: `${member.id}` },
  "/admin/channels/{id} save": { name: "Gardens" },
  "/admin/groups/{id} save": { name: "Cutters" },
  "/admin/organization profile": { name: "Growers" },
  "/admin/profile-fields/{id} save": { name: "Favorite flower" },
  "/admin/users/{id} add_group": { group: `${samples["user_group_id"]}` },
  "/admin/users/{id} add_channel": { channel: `${samples["stream_id"]}` },
  "/admin/users/{id} save": { full_name: "Renamed" },
  "/admin/users/{id} profile": { [`field_${samples["field_id"]}`]: "tulip" },
  "/admin/users/{id} avatar": { avatar: file(PNG) },
  "/admin/users/import upload": { file: new Blob(["email,name\nnew@example.com,New\n"]) },
  "/admin/bots/new create": { full_name: "Barometer", short_name: "barometer", owner: `${member.id}` },
  "/admin/bulk-actions/new choose": { what: "set-role", role: "300" },
  "/admin/channels/new create": { name: "Pond" },
  "/admin/groups/new create": { name: "Waterers" },
  "/admin/groups/{id} add_people": { people: "guest@example.com" },
  "/admin/groups/{id} preview": { edit: "add_people", people: "guest@example.com" },
  "/admin/groups/{id} impact_csv": { edit: "remove_people", member: `${member.id}` },
  "/admin/invitations invite": { ...OFFER, emails: "new@example.com" },
  "/admin/linkifiers/new create": { pattern: "C-(?P<id>[0-9]+)", url_template: "https://y.example/{id}" },
  "/admin/linkifiers/import import": LINKIFIER_IMPORT,
  "/admin/linkifiers/{id} save": { pattern: "C-(?P<id>[0-9]+)", url_template: "https://y.example/{id}" },
  "/admin/playgrounds create": {
    name: "Sandbox",
    pygments_language: "Perl",
    url_template: "https://play.example/{?code}",
  },
  "/admin/organization add_domain": { domain: "shed.example" },
  "/admin/organization/deactivate deactivate": { typed: "Gardeners" },
  "/admin/profile-fields/new create": { name: "Tool" },
  "/admin/users/new create": { email: "new@example.com", password: NEW_PASSWORD, full_name: "New" },
});

const IMPORTED = "pattern,url_template\nD-(?P<id>[0-9]+),https://z.example/{id}";

/** A confirmed import of linkifiers. */
const LINKIFIER_IMPORT = { text: IMPORTED, confirmed: revisionOf(IMPORTED) };

/** Fields of an offer with their usual values. */
const { action: _action, ...OFFER } = FORM;

/** Paths of forms whose subject is another record. */
const OTHER_PATHS: Readonly<Record<string, (cast: WriteCast) => string>> = {
  "/admin/channels/{id} unarchive": ({ ids }) => `/admin/channels/${ids["closed"]}`,
  "/admin/links/{short} enable": ({ disabledShort }) => `/admin/links${disabledShort}`,
  "/admin/users/{id} avatar": ({ ids }) => `/admin/users/${ids["ownersBot"]}`,
  "/admin/bulk-actions/{id} sign_in_links": ({ ids }) => `/admin/bulk-actions/${ids["importAction"]}`,
  "/admin/bulk-actions/{id} refused": ({ ids }) => `/admin/bulk-actions/${ids["importAction"]}`,
  "/admin/bulk-actions/{id} reactivate": ({ ids }) => `/admin/bulk-actions/${ids["deactivation"]}`,
  "/admin/bulk-actions/new choose": ({ ids }) => `/admin/bulk-actions/new?user=${ids["leaver"]}`,
  "/admin/bulk-actions/confirm apply": ({ ids }) =>
    `/admin/bulk-actions/confirm?user=${ids["leaver"]}&what=set_role&to=300`,
  "/admin/users/{id} reactivate": ({ ids }) => `/admin/users/${ids["idle"]}`,
  "/admin/organization/permissions/who export": () =>
    "/admin/organization/permissions/who?permission=realm.create_multiuse_invite_group",
};

async function toAdminForm(
  cast: WriteCast,
  { pattern, path, action }: { pattern: string; path: string; action: string },
): Promise<WriteExample> {
  const headers = { accept: "text/html", cookie: cast.cookies.owner };
  const html = await (await cast.request(path, { headers })).text();
  const isShown = html.includes(`name="action" value="${action}"`);
  const own = isShown ? readForm(html, action) : {};
  const fields = { ...own, ...toFields(cast)[`${pattern} ${action}`], action };
  return toFormWrite(cast, { pattern, path, action, fields, cookie: cast.cookies.owner });
}
