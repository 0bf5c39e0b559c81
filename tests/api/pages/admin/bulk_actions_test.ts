import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";
import { type PageVisitor, signIn } from "@/tests/helpers/pages.ts";
import { readForm } from "@/tests/casts/form_cast.ts";
import { addChannel, channelsOf, findPerson } from "@/tests/casts/newcomer_cast.ts";

/** Chooses a change on the page for a selection, and returns the page that follows. */
function choose(visitor: PageVisitor, query: string, fields: Record<string, string>) {
  return visitor.post(`/admin/bulk-actions/new?${query}`, { action: "choose", ...fields });
}

/** Chooses a change of a selection, confirms it, and returns the page that follows. */
async function apply(visitor: PageVisitor, query: string, fields: Record<string, string>) {
  const { location } = await choose(visitor, query, fields);
  const { html } = await visitor.get(location ?? "");
  return await visitor.post(location ?? "", readForm(html, "apply"));
}

function upload(visitor: PageVisitor, content: string | Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set("action", "upload");
  form.set("file", new File([content], "users.csv", { type: "text/csv" }));
  return visitor.post("/admin/users/import", form);
}

function problemIn(html: string): string {
  return /id="file-problem"[^>]*>([^<]*)/.exec(html)?.[1] ?? "";
}

Deno.test("selected accounts are changed in the background, and the page shows the result", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const query = [chat.member, chat.guest, chat.owner].map(({ id }) => `user=${id}`).join("&");
  const { html } = await admin.get(`/admin/bulk-actions/new?${query}`);
  assert.match(html, /Change 3 users/);
  assert.match(html, /Member, Guest, and Owner/);
  assert.doesNotMatch(html, /<option value="100"/, "only owners can make owners");
  for (
    const [fields, problem] of [
      [{ what: "" }, "Choose a change."],
      [{ what: "subscribe" }, "There are no channels yet."],
      [{ what: "add-to-group" }, "There are no groups yet."],
      [{ what: "set-role", role: "7" }, "Choose a role."],
    ] as const
  ) {
    const refused = await choose(admin, query, fields);
    assert.equal(refused.status, 400);
    assert.ok(refused.html.includes(problem), problem);
  }
  const { status, location } = await apply(admin, query, { what: "set-role", role: "300" });
  assert.equal(status, 303);
  assert.match((await admin.get(location ?? "")).html, /0 of 3 users processed/);
  assert.match((await admin.get("/admin/users")).html, /Change role: 0 of 3 users/);
  await chat.services.bulkActions.sweep();
  const done = await admin.get(location ?? "");
  assert.match(done.html, /3 users processed\./);
  assert.match(done.html, /1 user was not changed/);
  assert.match(done.html, /Must be an organization owner/);
  assert.deepEqual(JSON.parse((await admin.get(`${location}/progress`)).html), {
    state: "finished",
    done: 3,
    total: 3,
  });
  const { body } = await chat.call(chat.owner, `GET /users/${chat.guest.id}`);
  assert.equal(body["user"].role, 300);
});

Deno.test("all accounts of a filtered list are selected, unless the list has changed meanwhile", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const { html } = await admin.get("/admin/users?role=member");
  assert.match(html, /Change 1 user/);
  const path = "/admin/bulk-actions/confirm?role=member&all=1&what=deactivate";
  const form = readForm((await admin.get(path)).html, "apply");
  const late = await chat.add("late");
  const stale = await admin.post(path, form);
  assert.match(stale.html, /Someone else changed this/);
  const { location } = await apply(admin, "role=member&all=1", { what: "deactivate" });
  await chat.services.bulkActions.sweep();
  assert.match((await admin.get(location ?? "")).html, /2 users processed\./);
  const { body } = await chat.call(chat.owner, `GET /users/${late.id}`);
  assert.equal(body["user"].is_active, false);
  assert.match((await admin.get("/admin/bulk-actions/new")).html, /No users are selected/);
  const outsider = await signIn(chat, chat.outsider);
  assert.equal((await outsider.get(location ?? "")).status, 404);
  assert.equal((await outsider.get(`${location}/progress`)).status, 404);
});

Deno.test("all accounts of a list are changed although their order in it has changed meanwhile", async () => {
  await using chat = await startChat();
  const ada = await chat.add("ada");
  await chat.add("bela");
  const admin = await signIn(chat, chat.admin);
  const path = "/admin/bulk-actions/confirm?role=member&all=1&what=deactivate";
  const form = readForm((await admin.get(path)).html, "apply");
  await chat.call(chat.owner, `PATCH /users/${ada.id}`, { full_name: "Zoe" });
  assert.equal((await admin.post(path, form)).status, 303);
});

Deno.test("a change of many users is confirmed on a page that names their number and what they lose", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const roof = await chat.call(chat.owner, "POST /channels/create", { name: "roof", subscribers: [] });
  const query = [chat.member, chat.guest, chat.admin].map(({ id }) => `user=${id}`).join("&");
  const danger = (button: string) => new RegExp(`<button [^>]*bg-accent[^>]*>${button}<`);
  const confirm = async (fields: Record<string, string>) =>
    (await admin.get((await choose(admin, query, fields)).location ?? "")).html;
  const deactivation = await confirm({ what: "deactivate" });
  assert.match(deactivation, /<h1[^>]*>Deactivate 3 users\?/);
  assert.match(deactivation, danger("Deactivate 3 users"));
  assert.match(
    deactivation,
    /Member, Guest, and Admin.*signed out everywhere.*1 bot of theirs.*You are among them/s,
  );
  const { location: one } = await choose(admin, `user=${chat.member.id}`, { what: "deactivate" });
  assert.match(
    (await admin.get(one ?? "")).html,
    /Deactivate 1 user.*You can reactivate them at any time\./s,
  );
  const role = await confirm({ what: "set-role", role: "600" });
  assert.match(role, danger("Change 3 users to Guest"));
  assert.match(role, /2 users lose the permissions.*Guests see only/s);
  const channel = String(roof.body["id"]);
  assert.match(await confirm({ what: "unsubscribe", channel }), danger("Remove 3 users from #roof"));
  const raised = await confirm({ what: "set-role", role: "200" });
  assert.match(raised, />Change 3 users to Administrator</);
  assert.doesNotMatch(raised, danger("Change 3 users to Administrator"));
  assert.doesNotMatch(raised, /lose the permissions/);
  for (const wrong of ["what=import", "what=set_role&to=7", "what=subscribe&to=999", "what=add_to_group"]) {
    assert.equal((await admin.get(`/admin/bulk-actions/confirm?${query}&${wrong}`)).status, 404, wrong);
  }
  assert.equal((await admin.get("/admin/bulk-actions/confirm?what=deactivate")).status, 404);
  assert.match((await admin.get("/admin/bulk-actions/new?what=reactivate")).html, /No users are selected/);
});

Deno.test("users who were deactivated together are reactivated together, each with one audit entry", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const late = await chat.add("late");
  const query = [chat.member, chat.guest, late, chat.owner].map(({ id }) => `user=${id}`).join("&");
  const { location } = await apply(admin, query, { what: "deactivate" });
  await chat.services.bulkActions.sweep();
  await chat.call(chat.admin, `POST /users/${late.id}/reactivate`);
  const { html } = await admin.get(location ?? "");
  assert.match(html, />Reactivate all 2 users</, "the owner was refused, and one is active again");
  const audit = await admin.get("/admin/audit");
  assert.match(audit.html, new RegExp(`Deactivated <a [^>]*href="${location}"[^>]*><bdi[^>]*>3 users`));
  assert.match(audit.html, /Users: Member, Guest,? and late.*Bots also deactivated: Bot/is);
  assert.equal(audit.html.match(/>Deactivated </g)?.length, 1);
  assert.match((await admin.get("/admin/audit?text=guest&kind=user")).html, /3 users/);
  const again = await admin.post(location ?? "", { action: "reactivate" });
  assert.match((await admin.get("/admin/users")).html, /Reactivate users: 0 of 2 users/);
  await chat.services.bulkActions.sweep();
  assert.match((await admin.get(again.location ?? "")).html, /2 users processed\./);
  const { body } = await chat.call(chat.owner, "GET /users");
  const inactive = body["members"].filter(({ is_active }: { is_active: boolean }) => !is_active);
  assert.deepEqual(inactive.map(({ full_name }: { full_name: string }) => full_name), ["Bot"]);
  assert.match((await admin.get("/admin/audit")).html, /Reactivated <a [^>]*><bdi[^>]*>2 users/);
  const late2 = await admin.post(location ?? "", { action: "reactivate" });
  assert.match(late2.html, /None of these users is deactivated anymore/);
  chat.clock.time += 31 * 24 * 60 * 60 * 1000;
  const later = await signIn(chat, chat.admin);
  assert.match((await later.get("/admin/audit")).html, /Deactivated <bdi[^>]*>3 users/);
});

Deno.test("deactivated users are selected in their list and reactivated together", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await apply(admin, `user=${chat.member.id}&user=${chat.guest.id}`, { what: "deactivate" });
  await chat.services.bulkActions.sweep();
  const { html } = await admin.get("/admin/users?tab=deactivated");
  assert.match(html, /Reactivate selected.*Reactivate all 3 users/s);
  const chosen = await admin.get("/admin/bulk-actions/new?tab=deactivated&what=reactivate&all=1");
  const path = chosen.location ?? "";
  const confirm = await admin.get(path);
  assert.match(confirm.html, />Reactivate 3 users</);
  await admin.post(path, readForm(confirm.html, "apply"));
  await chat.services.bulkActions.sweep();
  assert.match((await admin.get("/admin/users?tab=deactivated")).html, /There are no such deactivated users/);
});

Deno.test("a bulk action is stopped on its page", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const { location } = await apply(admin, `user=${chat.guest.id}`, { what: "deactivate" });
  assert.equal((await admin.post(location ?? "", { action: "stop" })).status, 303);
  await chat.services.bulkActions.sweep();
  assert.match((await admin.get(location ?? "")).html, /Stopped after 0 of 1 users/);
});

Deno.test("users are imported from a CSV file after a preview", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  await addChannel(chat, "news", { is_default_stream: true });
  const file =
    "\ufeffName;Email;Role\r\n'-Ada;ada@example.com;guest\r\n\r\n;;\r\n ; ;;\r\nGuest;guest@example.com;\r\nBob;bob@example.com;\r\n";
  const { status, location } = await upload(admin, file);
  assert.equal(status, 303);
  const preview = await admin.get(location ?? "");
  assert.match(preview.html, /-Ada.*ada@example\.com.*Guest.*bob@example\.com.*Member/s);
  assert.match(preview.html, /Create 2 users/);
  assert.match(preview.html, /1 row is left out.*6.*A user has this address already.*guest@example\.com/s);
  assert.equal((await chat.call(chat.owner, "GET /users/ada@example.com")).status, 400);
  const owner = await signIn(chat, chat.owner);
  assert.doesNotMatch((await owner.get(location ?? "")).html, /Create 2 users/);
  assert.equal((await admin.post(location ?? "", { action: "start" })).status, 303);
  await chat.services.bulkActions.sweep();
  const { body } = await chat.call(chat.owner, "GET /users/ada@example.com");
  assert.deepEqual([body["user"].full_name, body["user"].role], ["-Ada", 600]);
  // Nothing is left to the worker that completes interrupted joins.
  const [ada, bob] = [await findPerson(chat, "ada@example.com"), await findPerson(chat, "bob@example.com")];
  assert.deepEqual([await channelsOf(chat, ada), await channelsOf(chat, bob)], [[], ["news"]]);
  chat.clock.time += 60_000;
  assert.equal(await chat.services.joinFinisher.sweep(), 0);
  const again = await upload(admin, file);
  assert.match(problemIn(again.html), /^Row 2: A user has this address already\.\nRow 6: /);
});

Deno.test("CSV files with problems are refused with the numbers of their rows", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const head = "email,full_name,role\n";
  const refusals: readonly (readonly [string | Uint8Array<ArrayBuffer>, RegExp])[] = [
    ["", /Choose a CSV file/],
    ["a,b\n1,2", /first row must name/],
    [head, /has no users/],
    [`${head},,\n , ,\n`, /has no users/],
    [`${head}b.example,B,\n`, /^Row 2: Enter a valid email address\.$/],
    [`${head}a@example.com,A\n`, /^Row 2: The row has 2 cells instead of 3\.$/],
    [`${head}a@example.com,A,king`, /^Row 2: “king” is not a role/],
    [`${head}a@example.com,A,owner`, /^Row 2: Only owners can create owners\.$/],
    [`${head}a@example.com,*A,\n`, /^Row 2: Invalid characters in name\.$/],
    [`${head}a@example.com,"A,\n`, /not valid CSV near line 2/],
    [`${head}a@example.com,${"x".repeat(20_000)},\n`, /not valid CSV near line 2/],
    [new Uint8Array([0xff, 0xfe, 0x41]), /not UTF-8/],
    [head + "a,b,c\n".repeat(5001), /more than 5,000 users/],
    // The rows after these are not read, which would take seconds.
    [`${head}${"a,b,c\n".repeat(5001)}"x`, /more than 5,000 users/],
    [head + "x,y,\n".repeat(30), /Row 21: .*\n10 more rows have problems\.$/s],
  ];
  for (const [content, problem] of refusals) {
    const { status, html } = await upload(admin, content);
    assert.equal(status, 400, String(problem));
    assert.match(problemIn(html), problem);
    // The browser does not keep the file, so leaving the page loses nothing.
    assert.ok(!html.includes('data-guard="changed"'));
  }
  const large = await upload(admin, new Uint8Array(2 * 1024 * 1024));
  assert.match(large.html, /larger than 1 MiB/);
});

Deno.test("the good rows of a CSV file are imported, and the others are returned as a file", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  const rows = [
    "a@example.com,A,",
    ",,",
    "",
    "b.example,=B,",
    "A@example.com,C,guest",
    "d@example.com,D,king",
    "e@example.com,E,owner",
    "f@example.com,F,guest",
    ...Array.from({ length: 60 }, (_, at) => `wrong${at},W,`),
  ];
  const { location } = await upload(admin, `email,full_name,role\n${rows.join("\n")}\n`);
  const draft = (await admin.get(location ?? "")).html;
  assert.match(draft, /Create 2 users.*64 rows are left out.*Only the first 50 are listed/s);
  for (
    const text of ["Enter a valid email address.", "The address is the same as in row 2.", "“king” is not"]
  ) {
    assert.ok(draft.includes(text), text);
  }
  await admin.post(location ?? "", { action: "start" });
  await chat.call(chat.owner, "POST /users", {
    ...{ email: "f@example.com", full_name: "First", password: "violet kettle seldom 42" },
  });
  await chat.services.bulkActions.sweep();
  assert.match((await admin.get(location ?? "")).html, /2 users processed.*1 user was not changed/s);
  const { html: csv } = await admin.post(location ?? "", { action: "refused" });
  const lines = csv.replace("\ufeff", "").split("\r\n");
  assert.deepEqual(lines.slice(0, 5), [
    "email,full_name,role,reason",
    "b.example,'=B,,Enter a valid email address.",
    "A@example.com,C,guest,The address is the same as in row 2.",
    'd@example.com,D,king,"“king” is not a role. Use owner, administrator, moderator, member or guest."',
    "e@example.com,E,owner,Only owners can create owners.",
  ]);
  assert.match(lines.at(-2) ?? "", /^f@example\.com,F,guest,Email 'f@example\.com' already in use$/);
  assert.equal(lines.length, 67);
  const corrected = csv.replace("b.example", "b@example.com");
  const { location: second } = await upload(admin, new TextEncoder().encode(corrected));
  assert.match((await admin.get(second ?? "")).html, /Create 1 user</);
});

Deno.test("/admin/bulk-actions lists all actions with their state, progress and failures", async () => {
  await using chat = await startChat();
  const admin = await signIn(chat, chat.admin);
  assert.match((await admin.get("/admin/bulk-actions")).html, /No bulk actions in the last 30 days/);
  const all = [chat.member, chat.guest, chat.owner].map(({ id }) => `user=${id}`).join("&");
  const { location: first } = await apply(admin, all, { what: "set-role", role: "300" });
  await chat.services.bulkActions.sweep();
  const { location: second } = await apply(admin, `user=${chat.guest.id}`, { what: "deactivate" });
  await admin.post(second ?? "", { action: "stop" });
  const { html } = await admin.get("/admin/bulk-actions");
  const rows = html.split("<tbody")[1]?.split("</tr>") ?? [];
  const texts = rows.map((row) =>
    row.replaceAll(/<span class="text-tiny[^>]*>[^<]*<\/span>/g, "").replaceAll(/<[^>]*>/g, "|")
  );
  assert.match(texts[0] ?? "", /Deactivate users\|.*Admin\|.*Stopped\|.*0 of 1\|.*\|0\|/);
  assert.match(texts[1] ?? "", /Change role: Moderator\|.*Admin\|.*Finished\|.*3 of 3\|.*\|1\|/);
  for (const path of [first, second]) assert.ok(html.includes(`href="${path}"`));
  for (const path of ["/admin/users", "/admin/audit"]) {
    assert.ok((await admin.get(path)).html.includes('href="/admin/bulk-actions"'), path);
  }
  const outsider = await signIn(chat, chat.outsider);
  assert.match((await outsider.get("/admin/bulk-actions")).html, /No bulk actions/);
  assert.equal((await (await signIn(chat, chat.moderator)).get("/admin/bulk-actions")).status, 403);
});
