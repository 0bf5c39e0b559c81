import assert from "node:assert/strict";
import { AUDIT_ACTIONS } from "@/lib/chat/organization/audit/model.ts";
import { recordAudit } from "@/lib/chat/organization/audit/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

/** Returns the sentences of the log without their details and links. */
function linesIn(html: string): string[] {
  const rows = html.split("<tbody")[1]?.split("</tbody>")[0] ?? "";
  return [...rows.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, cell = ""]) =>
    (cell.split("<ul")[0] ?? "").replaceAll(/<[^>]*>/g, "").trim()
  );
}

Deno.test("/admin/audit is limited to administrators of the organization", async () => {
  await using chat = await startChat();
  assert.equal((await visitPages(chat).get("/admin/audit")).location, "/login?next=%2Fadmin%2Faudit");
  for (const person of [chat.moderator, chat.member, chat.guest]) {
    assert.equal((await (await signIn(chat, person)).get("/admin/audit")).status, 403);
  }
  await chat.call(chat.owner, "PATCH /realm", { name: "Growers" });
  const outsider = await signIn(chat, chat.outsider);
  assert.deepEqual(linesIn((await outsider.get("/admin/audit")).html), ["Created Others"]);
});

Deno.test("the audit log offers short links and blocked hosts to the root organization only", async () => {
  await using chat = await startChat();
  for (const [person, isRoot] of [[chat.admin, true], [chat.outsider, false]] as const) {
    const { html } = await (await signIn(chat, person)).get("/admin/audit");
    assert.equal(html.includes('<option value="emoji">Custom emoji</option>'), true);
    assert.equal(html.includes('<option value="link">Short links</option>'), isRoot);
    assert.equal(html.includes('<option value="blocked_host">Blocked hosts</option>'), isRoot);
  }
});

Deno.test("/admin/audit describes each change with links and escapes all names", async () => {
  await using chat = await startChat();
  const name = "<script>alert(1)</script>";
  chat.clock.time += 60_000;
  await chat.call(chat.owner, "POST /channels/create", { name, subscribers: [chat.owner.id] });
  chat.clock.time += 60_000;
  await chat.call(chat.admin, `PATCH /users/${chat.member.id}`, { role: 300 });
  chat.clock.time += 60_000;
  const created = { name: "crew", description: "", members: [] };
  const { body: { group_id } } = await chat.call(chat.owner, "POST /user_groups/create", created);
  chat.clock.time += 60_000;
  await chat.call(chat.owner, "PATCH /realm", { can_create_groups: { new: group_id } });
  const { html } = await (await signIn(chat, chat.admin)).get("/admin/audit");
  assert.deepEqual(linesIn(html), [
    "Changed the settings of Gardeners",
    "Created the group crew",
    "Changed the role of Member",
    "Created the channel &lt;script>alert(1)&lt;/script>",
    "Created Gardeners",
  ]);
  assert.match(html, /Role: Member → Moderator/);
  assert.match(html, /Create groups: crew/);
  assert.match(html, /Server operator/);
  assert.ok(html.includes(`href="/admin/users/${chat.member.id}"`));
  assert.ok(html.includes(`href="/admin/users/${chat.admin.id}"`));
  assert.ok(html.includes(`href="/admin/groups/${group_id}"`));
  assert.doesNotMatch(html, /<script>alert/);
});

Deno.test("/admin/audit filters by user and kind, and pages to older changes", async () => {
  await using chat = await startChat();
  for (let at = 0; at < 60; at++) {
    await transact(chat.services.store, (tx) => {
      recordAudit(tx, { realmId: chat.realm.id, now: chat.clock.time + at }, {
        acting_user_id: at % 6 === 0 ? chat.admin.id : chat.member.id,
        action: at % 2 === 0 ? "folder_created" : "emoji_added",
        target: { kind: at % 2 === 0 ? "folder" : "emoji", id: at, name: `n${at}` },
      });
      return Promise.resolve();
    });
  }
  const admin = await signIn(chat, chat.admin);
  const countAt = async (query: string) => linesIn((await admin.get(`/admin/audit?${query}`)).html).length;
  assert.equal(await countAt(`who=${chat.admin.id}`), 10);
  assert.equal(await countAt(`who=${chat.member.id}&kind=emoji`), 30);
  assert.equal(await countAt(`who=${chat.admin.id}&kind=emoji`), 0);
  assert.equal(await countAt("who=operator"), 1);
  assert.match((await admin.get(`/admin/audit?kind=invite`)).html, /No matching changes/);
  const filtered = await admin.get(`/admin/audit?who=${chat.member.id}`);
  assert.match(filtered.html, new RegExp(`value="${chat.member.id}"[^>]*selected[^>]*>Member`));
  const first = await admin.get("/admin/audit");
  assert.match(
    first.html,
    new RegExp(`<option[^>]*value="${chat.member.id}"[^>]*>Member<`),
    "the filter offers members who changed something",
  );
  for (const kind of Object.keys(AUDIT_ACTIONS)) assert.ok(first.html.includes(`value="${kind}"`), kind);
  const older = /href="([^"]*cursor=[^"]+)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const second = await admin.get(older);
  const lines = [...linesIn(first.html), ...linesIn(second.html)];
  assert.equal(lines.length, 61);
  assert.equal(new Set(lines).size, 61);
  assert.doesNotMatch(second.html, /Older changes/);
  assert.match(second.html, /Newest changes/);
  for (const query of ["cursor=!", "cursor=", "who=x", "kind=y", "who=999999"]) {
    assert.equal((await admin.get(`/admin/audit?${query}`)).status, 200, query);
  }
});

Deno.test("/admin/audit is filtered by days and by text, and exported as shown", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  for (const name of ["garden", "roof", "=cmd"]) {
    chat.clock.time += 24 * 60 * 60 * 1000;
    await chat.call(chat.owner, "POST /channels/create", { name, subscribers: [] });
  }
  const shown = async (query: string) => linesIn((await visitor.get(`/admin/audit?${query}`)).html);
  assert.deepEqual(await shown("text=ROO"), ["Created the channel roof"]);
  assert.deepEqual(await shown("from=2026-11-23&to=2026-11-23"), ["Created the channel roof"]);
  assert.deepEqual(await shown("to=2026-11-22&kind=channel"), ["Created the channel garden"]);
  assert.equal((await shown("from=2026-99-99&to=x")).length, 4);
  const { html, headers } = await visitor.post("/admin/audit?kind=channel&from=2026-11-23", {
    action: "export",
  });
  assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
  const lines = html.trim().split("\r\n");
  assert.equal(lines.length, 3);
  assert.match(lines[1] ?? "", /^2026-11-24T.*,Owner,Created the channel =cmd,/);
});

Deno.test("times, days of filters and the zone that a page names are those of the user, else of the browser", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.owner);
  // 11:00 UTC on November 21 is 20:00 in Tokyo, and 16 hours later it is 12:00 on November 22.
  chat.clock.time += 16 * 60 * 60 * 1000;
  await chat.call(chat.owner, "POST /channels/create", { name: "roof", subscribers: [] });
  const show = async (query: string, zone: string) => {
    const cookie = `sotto_session=${visitor.token()}; sotto_zone=${zone}`;
    return await (await chat.request(`/admin/audit?${query}`, { headers: { cookie, accept: "text/html" } }))
      .text();
  };
  const html = await show("kind=channel", "Asia/Tokyo");
  assert.match(html, /Nov 22, 2026, 12:00 PM/);
  assert.equal(html.split("Asia/Tokyo").length, 2);
  assert.match(await show("", "Nowhere/Else"), /time zone UTC\./);
  await chat.call(chat.owner, "PATCH /settings", { timezone: "Pacific/Auckland" });
  chat.clock.time += 8 * 60 * 60 * 1000;
  await chat.call(chat.owner, "POST /channels/create", { name: "shed", subscribers: [] });
  const day = await show("kind=channel&from=2026-11-23&to=2026-11-23", "Asia/Tokyo");
  assert.deepEqual(linesIn(day), ["Created the channel shed"]);
  assert.match(day, /Nov 23, 2026, 12:00 AM.*time zone Pacific\/Auckland\./s);
});
