import assert from "node:assert/strict";
import { PNG } from "@/tests/casts/pictures_cast.ts";
import type { Answer, ClientStage } from "./client_stage.ts";
import type { PythonLibrary } from "./python_library.ts";

/** Calls the methods for users, their settings and their presence. */
export async function callUserMethods({ ada, bob }: ClientStage, library: PythonLibrary): Promise<void> {
  const profile = await library.ok("get_profile");
  assert.deepEqual([profile.user_id, profile.email, profile.is_owner], [ada.id, ada.email, true]);
  const details = { email: "eve@example.com", password: "a quiet wall", full_name: "Eve" };
  const { user_id: eve } = await library.ok("create_user", details);
  await library.okWith("update_user_by_id", { user_id: eve, full_name: "Eve Gardener" });
  assert.equal((await library.ok("get_user_by_id", eve)).user.full_name, "Eve Gardener");
  await library.ok("deactivate_user_by_id", eve);
  assert.equal((await library.ok("get_user_by_id", eve)).user.is_active, false);
  await library.ok("reactivate_user_by_id", eve);
  assert.equal((await library.ok("get_user_by_id", eve)).user.is_active, true);
  for (const method of ["get_users", "get_members"]) {
    const ids = (await library.ok(method)).members.map(({ user_id }: Answer) => user_id);
    assert.ok([ada.id, bob.id, eve].every((id) => ids.includes(id)), method);
  }

  const presence = { status: "active", ping_only: false, new_user_input: true };
  await library.ok("update_presence", presence);
  assert.equal((await library.ok("get_user_presence", ada.email)).presence.website.status, "active");
  assert.ok(ada.email in (await library.ok("get_realm_presence")).presences);
  await library.ok("add_alert_words", ["slug", "snail"]);
  assert.deepEqual((await library.ok("remove_alert_words", ["slug"])).alert_words, ["snail"]);
  assert.deepEqual((await library.ok("get_alert_words")).alert_words, ["snail"]);
  await library.ok("update_notification_settings", { enable_stream_push_notifications: true });
  await library.ok("set_typing_status", { op: "start", to: [bob.id] });
}

/** Calls the methods for user groups. */
export async function callGroupMethods({ ada, bob }: ClientStage, library: PythonLibrary): Promise<void> {
  const group = { name: "planters", description: "They plant.", members: [ada.id] };
  await library.ok("create_user_group", group);
  const readGroup = async () =>
    (await library.ok("get_user_groups")).user_groups.find(({ description }: Answer) =>
      description === group.description
    );
  const { id } = await readGroup();
  await library.ok("update_user_group_members", id, { add: [bob.id], delete: [ada.id] });
  await library.ok("update_user_group", { group_id: id, name: "sowers", description: group.description });
  const { name, members } = await readGroup();
  assert.deepEqual([name, members], ["sowers", [bob.id]]);
  await library.ok("remove_user_group", id);
  assert.equal(await readGroup(), undefined);
}

/** Calls the methods for linkifiers, profile fields and emoji. */
export async function callRealmMethods({ folder }: ClientStage, library: PythonLibrary): Promise<void> {
  const url = "https://example.com/plants/{id}";
  const { id } = await library.ok("add_realm_filter", "#(?P<id>[0-9]+)", url);
  const { linkifiers } = await library.ok("get_realm_linkifiers");
  assert.deepEqual(linkifiers.map((one: Answer) => [one.id, one.url_template]), [[id, url]]);
  await library.ok("remove_realm_filter", id);

  const create = (name: string) =>
    library.okWith("create_realm_profile_field", { name, hint: "Yours", field_type: 1 });
  const [phone, plot] = [(await create("Phone")).id, (await create("Plot")).id];
  await library.okWith("update_realm_profile_field", { field_id: phone, name: "Telephone" });
  await library.okWith("reorder_realm_profile_fields", { order: [plot, phone] });
  const { custom_fields: fields } = await library.ok("get_realm_profile_fields");
  assert.deepEqual(fields.map(({ name }: Answer) => name), ["Plot", "Telephone"]);
  await library.ok("remove_realm_profile_field", plot);

  const file = `${folder}/leaf.png`;
  await Deno.writeFile(file, Uint8Array.from(PNG));
  await library.ok("upload_custom_emoji", "leaf", { file });
  const emoji = async () =>
    Object.values<Answer>((await library.ok("get_realm_emoji")).emoji).map(({ name, deactivated }) => [
      ...[name, deactivated],
    ]);
  assert.deepEqual(await emoji(), [["leaf", false]]);
  await library.ok("delete_custom_emoji", "leaf");
  assert.deepEqual(await emoji(), [["leaf", true]]);
}

/** Calls the methods for files, for the server and for event queues. */
export async function callServerMethods({ ada, folder }: ClientStage, library: PythonLibrary): Promise<void> {
  const settings = await library.ok("get_server_settings");
  assert.deepEqual([settings.zulip_version, typeof settings.zulip_feature_level], ["10.0", "number"]);
  const file = `${folder}/plan.txt`;
  await Deno.writeTextFile(file, "Beds and paths");
  const { uri } = await library.ok("upload_file", { file });
  assert.match(uri, /^\/user_uploads\/.*plan\.txt$/);
  const { attachments } = await library.ok("get_attachments");
  assert.deepEqual(attachments.map(({ name }: Answer) => name), ["plan.txt"]);

  const queue = await library.okWith("register", { event_types: ["message"] });
  const message = { type: "private", to: [ada.id], content: "To myself" };
  const { id } = await library.ok("send_message", message);
  const { queue_id, last_event_id } = queue;
  const { events } = await library.okWith("get_events", { queue_id, last_event_id });
  assert.deepEqual(events.map((event: Answer) => [event.message.id, event.message.type]), [[id, "private"]]);
  await library.ok("deregister", queue_id);
  const gone = await library.call("get_events", { kwargs: { queue_id, last_event_id } });
  assert.equal(gone.code, "BAD_EVENT_QUEUE_ID");
}

/** Calls the methods for the storage of a bot, as the bot. */
export async function callStorageMethods(library: PythonLibrary): Promise<void> {
  const storage = { first: "1", second: "2" };
  await library.ok("update_storage", { storage });
  assert.deepEqual((await library.ok("get_storage", { keys: ["second"] })).storage, { second: "2" });
  assert.deepEqual((await library.ok("get_storage")).storage, storage);
}
