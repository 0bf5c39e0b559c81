import assert from "node:assert/strict";
import type { AuditDetails, AuditKind } from "@/lib/chat/organization/audit/model.ts";
import { recordAudit } from "@/lib/chat/organization/audit/store.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { signIn } from "@/tests/helpers/pages.ts";

/** Returns the sentences about the details of all listed changes, newest first. */
function detailsIn(html: string): string[] {
  return [...html.matchAll(/<li dir="auto"[^>]*>(.*?)<\/li>/gs)].map(([, text = ""]) => text);
}

async function createChannel(chat: TestChat, name: string): Promise<number> {
  await chat.call(chat.owner, "POST /channels/create", { name, subscribers: [] });
  const { body } = await chat.call(chat.owner, "GET /get_stream_id", { stream: name });
  return Number(body["stream_id"]);
}

async function record(
  chat: TestChat,
  { kind, details }: { kind: AuditKind; details: AuditDetails },
): Promise<void> {
  await transact(chat.services.store, (tx) => {
    recordAudit(tx, { realmId: chat.realm.id, now: ++chat.clock.time }, {
      acting_user_id: chat.admin.id,
      action: kind === "invite_link" ? "invite_link_changed" : "realm_changed",
      target: { kind, id: 7, name: "7" },
      details,
    });
    return Promise.resolve();
  });
}

Deno.test("/admin/audit names the channels and groups of details as they are called now", async () => {
  await using chat = await startChat();
  const [roses, beds] = [await createChannel(chat, "roses"), await createChannel(chat, "beds")];
  const { body: { group_id } } = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "crew",
    description: "",
    members: [],
  });
  chat.clock.time++;
  await chat.call(chat.owner, "PATCH /realm", { new_stream_announcements_stream_id: roses });
  await chat.call(chat.owner, `PATCH /streams/${roses}`, { new_name: "tulips" });
  await record(chat, {
    kind: "invite_link",
    details: {
      channel_ids: [JSON.stringify([roses]), JSON.stringify([roses, beds, 999])],
      group_ids: [JSON.stringify([group_id]), "[]"],
      include_realm_default_subscriptions: ["false", "true"],
    },
  });
  const admin = await signIn(chat, chat.admin);
  const details = detailsIn((await admin.get("/admin/audit")).html);
  assert.deepEqual(details.slice(0, 3), [
    "Channels: #tulips → #tulips, #beds, and deleted channel 999",
    "Groups: crew → none",
    "Default channels: No → Yes",
  ]);
  assert.ok(details.includes("Channel for announcements: none → #tulips"), details.join("\n"));
  assert.deepEqual(
    detailsIn((await admin.get("/admin/audit?text=deleted+channel+999")).html),
    details.slice(0, 3),
  );
});

Deno.test("/admin/audit names the users of details, and says who no longer exists", async () => {
  await using chat = await startChat();
  const holders = { direct_members: [chat.member.id, 999], direct_subgroups: [] };
  await record(chat, {
    kind: "realm",
    details: { can_invite_users_group: ["", JSON.stringify(holders)], folder_id: ["", "12"] },
  });
  await record(chat, { kind: "realm", details: { bot_owner_id: [String(chat.member.id), "999"] } });
  const admin = await signIn(chat, chat.admin);
  assert.deepEqual(detailsIn((await admin.get("/admin/audit")).html), [
    "Owner: Member → deleted user 999",
    "Invite people: Member and deleted user 999",
    "Folder: none → deleted folder 12",
  ]);
});

Deno.test("/admin/audit names changed members and a new order, also in the CSV file", async () => {
  await using chat = await startChat();
  const { body: { group_id } } = await chat.call(chat.owner, "POST /user_groups/create", {
    name: "crew",
    description: "",
    members: [chat.member.id],
  });
  const folders: number[] = [];
  for (const name of ["Beds", "Paths"]) {
    const { body } = await chat.call(chat.owner, "POST /channel_folders/create", { name, description: "" });
    folders.unshift(Number(body["channel_folder_id"]));
  }
  for (const pattern of ["#(?P<id>[0-9]+)", "!(?P<id>[0-9]+)"]) {
    await chat.call(chat.owner, "POST /realm/filters", { pattern, url_template: "https://a.example/{id}" });
  }
  const { body: { linkifiers } } = await chat.call(chat.owner, "GET /realm/linkifiers", {});
  chat.clock.time++;
  await chat.call(chat.owner, `POST /user_groups/${group_id}/members`, {
    add: [chat.admin.id, chat.moderator.id],
    delete: [chat.member.id],
  });
  chat.clock.time++;
  await chat.call(chat.owner, "PATCH /channel_folders", { order: folders });
  chat.clock.time++;
  const order = linkifiers.map(({ id }: { id: number }) => id).toReversed();
  await chat.call(chat.owner, "PATCH /realm/linkifiers", { ordered_linkifier_ids: order });
  const admin = await signIn(chat, chat.admin);
  const expected = [
    "Order: !(?P&lt;id>[0-9]+) and #(?P&lt;id>[0-9]+)",
    "Order: Paths and Beds",
    "Members added: Admin and Moderator",
    "Members removed: Member",
  ];
  assert.deepEqual(detailsIn((await admin.get("/admin/audit")).html).slice(0, 4), expected);
  const { html: file } = await admin.post("/admin/audit", { action: "export" });
  assert.match(file, /"Members added: [^"]*Moderator[^"]*; Members removed: Member"/);
  assert.match(file, /,Order: Paths and Beds\r/);
});

Deno.test("/admin/audit reads the names of a page together, however many there are", async () => {
  await using chat = await startChat();
  const ids: number[] = [];
  for (let at = 0; at < 8; at++) ids.push(await createChannel(chat, `bed ${at}`));
  const admin = await signIn(chat, chat.admin);
  const { kv } = chat.services.store;
  const [get, getMany] = [kv.get.bind(kv), kv.getMany.bind(kv)];
  let reads = 0;
  Object.assign(kv, {
    get: (...sent: Parameters<Kv["get"]>) => (reads++, get(...sent)),
    getMany: (...sent: Parameters<Kv["getMany"]>) => (reads++, getMany(...sent)),
  });
  const countReads = async () => {
    reads = 0;
    await admin.get("/admin/audit?kind=invite_link");
    return reads;
  };
  await countReads();
  await record(chat, { kind: "invite_link", details: { channel_ids: ["[]", `[${ids[0]}]`] } });
  const few = await countReads();
  for (const id of ids) {
    await record(chat, { kind: "invite_link", details: { channel_ids: ["[]", `[${id}]`] } });
  }
  assert.equal(await countReads(), few);
});

Deno.test("/admin/audit shows settings by their labels and durations in words", async () => {
  await using chat = await startChat();
  const changes = {
    message_content_edit_limit_seconds: "3600",
    message_content_delete_limit_seconds: "unlimited",
  };
  await chat.call(chat.owner, "PATCH /realm", changes);
  await record(chat, { kind: "user", details: { settings: "enable_sounds, twenty_four_hour_time" } });
  const admin = await signIn(chat, chat.admin);
  assert.deepEqual(detailsIn((await admin.get("/admin/audit")).html), [
    "Settings: Enable sounds, Twenty four hour time",
    "Time limit for editing messages: 10 minutes → 1 hour",
    "Time limit for deleting own messages: 10 minutes → unlimited",
  ]);
});
