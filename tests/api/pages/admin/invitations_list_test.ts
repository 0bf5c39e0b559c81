import assert from "node:assert/strict";
import { signIn } from "@/tests/helpers/pages.ts";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { createInviteLink, inviteAddress, inviteAddresses, listInvites } from "@/tests/casts/invites_cast.ts";
import { flashOf, PAGE, rowsOf } from "@/tests/casts/admin_invitations_cast.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Creates two links and three email invitations by three users, a minute apart. */
async function withInvitations(chat: TestChat): Promise<void> {
  const later = () => chat.clock.time += 60_000;
  await inviteAddress(chat, chat.member, "zoe@example.org", { invite_expires_in_minutes: 60 });
  later();
  await createInviteLink(chat, chat.admin, { invite_as: 600 });
  later();
  await inviteAddress(chat, chat.admin, "ada@example.org", { invite_expires_in_minutes: null });
  later();
  await inviteAddress(chat, chat.owner, "boss@example.org", { invite_as: 100 });
  later();
  await createInviteLink(chat, chat.owner, { invite_as: 100 });
}

function order(html: string): string[] {
  return rowsOf(html).map((row) => /Reusable link \d|\S+@\S+/.exec(row)?.[0] ?? row);
}

Deno.test("the list has links first and the newest of each kind first; every column sorts both ways", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  const visitor = await signIn(chat, chat.admin);
  const [zoe, ada, boss] = ["zoe@example.org", "ada@example.org", "boss@example.org"];
  const [one, two] = ["Reusable link 1", "Reusable link 2"];
  const orders: [string, string[]][] = [
    ["", [two, one, boss, ada, zoe]],
    ["sort=invited", [two, one, ada, boss, zoe]],
    ["sort=invited&order=descending", [zoe, boss, ada, two, one]],
    ["sort=by", [one, ada, zoe, two, boss]],
    ["sort=role", [two, boss, ada, zoe, one]],
    ["sort=created", [zoe, one, ada, boss, two]],
    ["sort=expires", [zoe, one, boss, two, ada]],
    ["sort=nonsense", [two, one, boss, ada, zoe]],
  ];
  for (const [query, expected] of orders) {
    assert.deepEqual(order((await visitor.get(`${PAGE}?${query}`)).html), expected, query);
  }
  const { html } = await visitor.get(`${PAGE}?sort=by&q=ada`);
  assert.ok(
    html.includes('aria-sort="ascending"') && html.includes("q=ada&amp;sort=by&amp;order=descending"),
  );
});

Deno.test("the list can be searched by address and inviter, and filtered by expiry", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  const visitor = await signIn(chat, chat.admin);
  const found: [string, string[]][] = [
    ["q=BOSS", ["boss@example.org"]],
    ["q=member", ["zoe@example.org"]],
    ["expiry=soon", ["zoe@example.org"]],
    ["q=nobody", []],
  ];
  for (const [query, expected] of found) {
    assert.deepEqual(order((await visitor.get(`${PAGE}?${query}`)).html), expected, query);
  }
  chat.clock.time += 60 * 60_000;
  assert.ok(!(await visitor.get(PAGE)).html.includes("zoe@example.org"));
});

Deno.test("administrators see an owner's link and invitation but cannot copy, resend or revoke them", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  const admin = await signIn(chat, chat.admin);
  const links = (await listInvites(chat, chat.owner)).filter((one) => one["is_multiuse"]);
  const secret = (url: string) => url.slice(url.indexOf("/join/"));
  const { html } = await admin.get(PAGE);
  assert.deepEqual(links.map((one) => html.includes(secret(one["link_url"]))), [true, false]);
  assert.equal(html.match(/Owners only</g)?.length, 2);
  assert.equal((await admin.get(`${PAGE}/link/2`)).status, 404);
  for (const path of ["link/2/revoke", "email/3/revoke"]) {
    const sent = await admin.post(`${PAGE}/${path}`, { action: "revoke" });
    assert.ok(sent.status >= 400 && sent.html.includes("Must be an organization owner"), path);
  }
  await admin.post(`${PAGE}/revoke`, { action: "revoke", chosen: "link-2" });
  assert.equal((await listInvites(chat, chat.owner)).length, 5);
});

Deno.test("revoking asks for confirmation with the invitation's name and reports the result", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  const visitor = await signIn(chat, chat.admin);
  assert.ok(
    (await visitor.get(`${PAGE}/email/2/revoke`)).html.includes("the invitation to ada@example.org?"),
  );
  const sent = await visitor.post(`${PAGE}/email/2/revoke`, { action: "revoke" });
  assert.equal(await flashOf(visitor, sent.headers), "Invitation to ada@example.org revoked.");
  assert.equal((await visitor.post(`${PAGE}/email/2/revoke`, { action: "revoke" })).status, 404);
  const link = await visitor.post(`${PAGE}/link/1/revoke`, { action: "revoke" });
  assert.equal(await flashOf(visitor, link.headers), "Reusable link 1 revoked.");
  assert.deepEqual(order((await visitor.get(PAGE)).html), [
    "Reusable link 2",
    "boss@example.org",
    "zoe@example.org",
  ]);
  assert.equal((await visitor.get(`${PAGE}/email/99999/revoke`)).status, 404);
  assert.equal((await visitor.get(`${PAGE}/email/x/revoke`)).status, 404);
});

Deno.test("several invitations are revoked with one confirmation, and those already gone are reported", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  const visitor = await signIn(chat, chat.owner);
  const { html } = await visitor.get(`${PAGE}/revoke?chosen=email-1&chosen=link-1&chosen=email-77`);
  assert.ok(html.includes("Revoke 2 invitations?") && html.includes("zoe@example.org"));
  await chat.call(chat.owner, "DELETE /invites/1");
  const body = new URLSearchParams([["action", "revoke"], ["chosen", "email-1"], ["chosen", "link-1"]]);
  const response = await chat.request(`${PAGE}/revoke`, {
    method: "POST",
    body,
    headers: { cookie: `sotto_session=${visitor.token()}`, origin: "http://localhost:8000" },
  });
  assert.equal(response.status, 303);
  assert.equal(
    await flashOf(visitor, response.headers),
    "1 invitation revoked. 1 was not revoked: it no longer exists, or only owners can revoke it.",
  );
  assert.equal((await listInvites(chat, chat.owner)).length, 3);
  assert.ok((await visitor.get(`${PAGE}/revoke`)).html.includes("No invitations selected."));
});

Deno.test("resending an invitation asks for confirmation", async () => {
  await using chat = await startMailingChat();
  await withInvitations(chat);
  const visitor = await signIn(chat, chat.admin);
  const before = (await chat.mails()).length;
  assert.ok(
    (await visitor.get(`${PAGE}/email/2/resend`)).html.includes("Resend the invitation to ada@example.org?"),
  );
  const sent = await visitor.post(`${PAGE}/email/2/resend`, { action: "resend" });
  assert.equal(
    await flashOf(visitor, sent.headers),
    "Invitation to ada@example.org resent.",
  );
  assert.equal((await chat.mails()).length, before + 1);
  const refused = await visitor.post(`${PAGE}/email/3/resend`, { action: "resend" });
  assert.ok(refused.html.includes("Must be an organization owner"));
});

Deno.test("the export contains the search results, without links and without spreadsheet formulas", async () => {
  await using chat = await startChat();
  await withInvitations(chat);
  await inviteAddresses(chat, chat.admin, "=cmd@example.org");
  const visitor = await signIn(chat, chat.admin);
  const { headers, html } = await visitor.post(`${PAGE}?q=admin&sort=invited`, { action: "export" });
  assert.equal(headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="invitations.csv"$/);
  const lines = html.trim().split("\r\n").map((line) => line.split(",").slice(0, 4).join(","));
  assert.deepEqual(lines, [
    "Type,Invited,Invited by,Role",
    "Reusable link,Reusable link 1,Admin,Guest",
    "By email,'=cmd@example.org,Admin,Member",
    "By email,ada@example.org,Admin,Member",
  ]);
  assert.ok(!html.includes("/join/"));
});

Deno.test("a long list is paged and reflects changes at once", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await inviteAddresses(
    chat,
    chat.admin,
    Array.from({ length: 120 }, (_, at) => `p${at + 100}@example.org`).join(),
  );
  const first = await visitor.get(`${PAGE}?sort=invited`);
  assert.ok(first.html.includes("1–50 of 120 invitations"));
  assert.equal(rowsOf(first.html).length, 50);
  const last = await visitor.get(`${PAGE}?sort=invited&page=9`);
  assert.deepEqual([order(last.html).length, order(last.html).at(-1)], [20, "p219@example.org"]);
  await chat.call(chat.admin, "DELETE /invites/120");
  assert.equal(rowsOf((await visitor.get(`${PAGE}?sort=invited&page=3`)).html).length, 19);
  chat.clock.time += 40 * DAY;
  const again = await signIn(chat, chat.admin);
  assert.ok((await again.get(PAGE)).html.includes("There are no pending invitations."));
});
