import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { alterRealm, readStoredRealm } from "@/tests/helpers/realm.ts";

/** Uses the setting and the permission that declared_once_test.ts adds to copies of the product's files. */
await using chat = await startChat();
const { owner, admin } = chat;
const visitor = await signIn(chat, owner);
const register = async () => (await chat.call(owner, "POST /register", { event_types: ["realm"] })).body;
const openApi = JSON.stringify(await (await chat.request("/openapi.json")).json());

// An organization of a version without the setting.
const { settings } = await readStoredRealm(chat);
assert.ok(Object.hasOwn(settings, "quiet_hours"));
const earlier = { ...settings };
Reflect.deleteProperty(earlier, "quiet_hours");
await alterRealm(chat, { settings: earlier });
assert.equal((await register())["realm_quiet_hours"], true);

assert.ok(openApi.includes("Whether nights are quiet. Owners only."));
assert.ok(openApi.includes("realm_quiet_hours"));
assert.equal((await chat.call(admin, "PATCH /realm", { quiet_hours: false })).status, 400);
await chat.events();
assert.equal((await chat.call(owner, "PATCH /realm", { quiet_hours: false })).status, 200);
assert.deepEqual((await chat.events()).map(({ event }) => event["data"]), [{ quiet_hours: false }]);
assert.equal((await register())["realm_quiet_hours"], false);

const { html: page } = await visitor.get("/admin/organization");
assert.ok(page.includes("Keep nights quiet") && page.includes("No sounds at night."));
const seen = /name="seen" value="([\w-]+)"/.exec(page.slice(page.indexOf('id="accounts"')))?.[1] ?? "";
const form = { action: "accounts", seen, quiet_hours: "true" };
assert.equal((await visitor.post("/admin/organization", form)).status, 303);
assert.equal((await register())["realm_quiet_hours"], true);
assert.ok((await visitor.get("/admin/audit")).html.includes("Keep nights quiet"));

const supported = (await register())["server_supported_permission_settings"];
assert.equal(supported["stream"]["can_ring_bell_group"]["default_group_name"], "role:nobody");
const created = await chat.call(owner, "POST /channels/create", {
  name: "tower",
  subscribers: [owner.id],
  can_ring_bell_group: { direct_members: [owner.id], direct_subgroups: [] },
});
assert.equal(created.status, 200, JSON.stringify(created.body));
const { id } = created.body;
const read = async () => (await chat.call(owner, `GET /streams/${id}`)).body["stream"]["can_ring_bell_group"];
assert.deepEqual(await read(), { direct_members: [owner.id], direct_subgroups: [] });
const update = { new: { direct_members: [admin.id], direct_subgroups: [] } };
assert.equal((await chat.call(owner, `PATCH /streams/${id}`, { can_ring_bell_group: update })).status, 200);
assert.deepEqual(await read(), update.new);
assert.ok(openApi.includes("Users who may ring the bell."));
const { html: channel } = await visitor.get(`/admin/channels/${id}`);
assert.ok(channel.includes("Ring the bell") && channel.includes("Who can ring it."));
const { html: explained } = await visitor.get(`/admin/channels/${id}/permissions`);
assert.ok(explained.includes("Ring the bell"));
assert.ok((await visitor.get("/admin/audit")).html.includes("Ring the bell"));
