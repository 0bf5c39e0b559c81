import assert from "node:assert/strict";
import { closePages } from "@/tests/helpers/admin_samples.ts";
import { signIn, withoutScripts } from "@/tests/helpers/pages.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { listInvites, makeChannel, setPermission } from "@/tests/casts/invites_cast.ts";
import { flashOf, FORM, PAGE, rowsOf } from "@/tests/casts/admin_invitations_cast.ts";

Deno.test("the form invites a list of addresses and reports their number", async () => {
  await using chat = await startMailingChat();
  const visitor = await signIn(chat, chat.admin);
  const channel = await makeChannel(chat, chat.admin, "design");
  const emails = "Noor Lake <noor@example.org>, ines@example.org;\nNOOR@example.org";
  const sent = await visitor.post(PAGE, { ...FORM, emails, role: "600", channel: String(channel) });
  assert.deepEqual([sent.status, sent.location], [303, PAGE]);
  assert.equal(await flashOf(visitor, sent.headers), "2 people invited.");
  const { html } = await visitor.get(PAGE);
  assert.deepEqual(rowsOf(html).map((row) => row.split(" ").slice(0, 2)), [
    ["ines@example.org", "#design"],
    ["noor@example.org", "#design"],
  ]);
  const invites = await listInvites(chat, chat.admin);
  assert.deepEqual(
    invites.map((one) => [one["email"], one["invited_as"], one["notify_referrer_on_join"]]),
    [["noor@example.org", 600, true], ["ines@example.org", 600, true]],
  );
  assert.equal((await chat.mails()).length, 2);
});

Deno.test("an invitation replaces a pending one of the same address", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await visitor.post(PAGE, { ...FORM, emails: "noor@example.org, ines@example.org" });
  const high = { emails: "boss@example.org", role: "100" };
  await (await signIn(chat, chat.owner)).post(PAGE, { ...FORM, ...high });
  await visitor.post(PAGE, { ...FORM, emails: "NOOR@example.org, boss@example.org", role: "600" });
  const invites = (await listInvites(chat, chat.owner)).map((one) => [one["email"], one["invited_as"]]);
  assert.deepEqual(invites, [
    ["ines@example.org", 400],
    ["boss@example.org", 100],
    ["NOOR@example.org", 600],
    ["boss@example.org", 600],
  ]);
});

Deno.test("the first invitation offers the channels that become default channels later", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  assert.match((await visitor.get(PAGE)).html, /<input[^>]*name="defaults"[^>]*checked/);
});

Deno.test("the form offers groups by name in any case", async () => {
  await using chat = await startChat();
  for (const name of ["Pruners", "beekeepers", "zebras"]) {
    const group = { name, description: "", members: JSON.stringify([]) };
    assert.equal((await chat.call(chat.admin, "POST /user_groups/create", group)).status, 200);
  }
  const { html } = await (await signIn(chat, chat.admin)).get(PAGE);
  const places = ["beekeepers", "Pruners", "zebras"].map((name) => html.indexOf(`>${name}<`));
  assert.ok(places.every((at) => at > 0), places.join());
  assert.deepEqual(places.toSorted((one, other) => one - other), places);
});

Deno.test("a preview shows the result of each address and invites no one", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const emails = `Noor <noor@example.org>, not-an-address, ${chat.member.email}, x@mailinator.com`;
  const { status, html } = await visitor.post(PAGE, { ...FORM, action: "preview", emails });
  assert.equal(status, 200);
  for (
    const text of [
      "not-an-address: Invalid address.",
      "member@example.com: Already has an account.",
      "x@mailinator.com: Please use your real email address.",
      "1 other address is ready.",
      "Invite 1 person",
      "Noor &lt;noor@example.org>, not-an-address",
    ]
  ) assert.ok(html.includes(text), text);
  assert.deepEqual(await listInvites(chat, chat.admin), []);
});

Deno.test("refused addresses stay in the box with the reason; the others are invited", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  await chat.call(chat.owner, `DELETE /users/${chat.guest.id}`);
  const emails = `noor@example.org, nobody, ${chat.member.email}, ${chat.guest.email}`;
  const { status, html } = await visitor.post(PAGE, { ...FORM, emails });
  assert.equal(status, 200);
  assert.ok(html.includes("1 person invited."));
  assert.ok(html.includes("guest@example.com: Account has been deactivated."));
  const box = /<textarea[^>]*name="emails"[^>]*>([^<]*)</.exec(html)?.[1];
  assert.equal(box?.trim(), "nobody\nmember@example.com\nguest@example.com");
  assert.deepEqual((await listInvites(chat, chat.admin)).map((one) => one["email"]), ["noor@example.org"]);
});

Deno.test("a form with only invalid values is refused, and input is kept", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const refusals: [Record<string, string>, string][] = [
    [{ emails: "" }, "Enter at least one address."],
    [{ emails: "nobody" }, "No invitations were sent."],
    [{ emails: "nobody" }, "nobody: Invalid address."],
    [
      { emails: "a@example.org", lasts: "custom", custom_number: "0" },
      "Enter a time from 1 minute to 190 years.",
    ],
    [{ emails: "a@example.org", lasts: "soon" }, "Choose when it expires."],
    [{ emails: "a@example.org", role: "7" }, "Choose a role."],
    [{ emails: "a@example.org", role: "100" }, "Must be an organization owner"],
    [{ emails: "a@example.org", channel: "999" }, "Invalid channel ID 999. No invites were sent."],
    [
      { emails: "a@example.org", welcome: "own", welcome_text: "x".repeat(8001) },
      "1 character over the limit",
    ],
  ];
  for (const [fields, text] of refusals) {
    const { status, html } = await visitor.post(PAGE, { ...FORM, ...fields });
    assert.deepEqual([status >= 400 && status < 500, html.includes(text)], [true, true], text);
    if (fields["emails"] !== "") assert.ok(html.includes(fields["emails"] ?? "?"));
  }
  assert.deepEqual(await listInvites(chat, chat.admin), []);
});

Deno.test("exceeding the daily limit is refused with a reason", async () => {
  await using chat = await startChat({
    env: { RATE_LIMITS: '{"invitations":{"points":2,"seconds":86400}}' },
  });
  const visitor = await signIn(chat, chat.admin);
  const { status, html } = await visitor.post(PAGE, { ...FORM, emails: "a@b.org,c@b.org,d@b.org" });
  assert.equal(status, 400);
  assert.ok(html.includes("more than the organization can invite in one day"));
});

Deno.test("the chosen expiry and welcome message apply to the invitation", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const now = Math.floor(chat.clock.now() / 1000);
  const ends: [Record<string, string>, number | null][] = [
    [{ lasts: "never" }, null],
    [{ lasts: "1440" }, now + 86_400],
    [{ lasts: "custom", custom_number: "3", custom_unit: "weeks" }, now + 3 * 7 * 86_400],
    [{ lasts: "custom", custom_number: "90", custom_unit: "minutes" }, now + 90 * 60],
  ];
  for (const [at, [fields, end]] of ends.entries()) {
    const own = { welcome: "own", welcome_text: "Hello **you**", emails: `a${at}@example.org` };
    assert.equal((await visitor.post(PAGE, { ...FORM, ...own, ...fields })).status, 303);
    assert.equal((await listInvites(chat, chat.admin)).at(-1)?.["expiry_date"], end);
  }
});

Deno.test("the page is limited to the organization's administrators and to forms of its own pages", async () => {
  await using chat = await startChat();
  await closePages(chat);
  for (const user of [chat.moderator, chat.member, chat.guest]) {
    assert.equal((await (await signIn(chat, user)).get(PAGE)).status, 403);
  }
  const visitor = await signIn(chat, chat.admin);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  const sent = await visitor.post(PAGE, { ...FORM, emails: "a@example.org" }, foreign);
  assert.equal(sent.status, 400);
  assert.equal((await chat.call(chat.outsider, "GET /invites")).body["invites"].length, 0);
  assert.deepEqual(await listInvites(chat, chat.admin), []);
});

Deno.test("a user without permission to invite sees the reason instead of the form", async () => {
  await using chat = await startChat();
  await setPermission(chat, "can_invite_users_group", "role:nobody");
  await setPermission(chat, "create_multiuse_invite_group", "role:owners");
  const visitor = await signIn(chat, chat.admin);
  assert.ok((await visitor.get(PAGE)).html.includes("You do not have permission to send email invitations."));
  assert.ok(
    (await visitor.get(`${PAGE}?kind=link`)).html.includes(
      "You do not have permission to create reusable links.",
    ),
  );
});

Deno.test("roles above the caller's are not offered, and the page says when mail is not configured", async () => {
  await using chat = await startChat();
  const { html } = await (await signIn(chat, chat.admin)).get(PAGE);
  assert.ok(!html.includes('<option value="100"'));
  assert.ok(html.includes('<option value="200"') && html.includes("This server sends no email"));
  await using mailing = await startChat({ env: { SMTP_URL: "smtp://localhost:2525" } });
  assert.ok(
    !(await (await signIn(mailing, mailing.admin)).get(PAGE)).html.includes("This server sends no email"),
  );
  const owner = await (await signIn(chat, chat.owner)).get(PAGE);
  assert.ok(owner.html.includes('<option value="100"'));
});

Deno.test("script in any text is escaped", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const evil = "<img src=x onerror=alert(1)>";
  await makeChannel(chat, chat.admin, `c${evil}`);
  const typed = { ...FORM, emails: evil, welcome_text: evil, find: evil };
  const pages = [
    await visitor.get(`${PAGE}?find=${encodeURIComponent(evil)}`),
    await visitor.post(PAGE, { ...typed, action: "preview" }),
    await visitor.post(PAGE, typed),
  ];
  for (const { html } of pages) assert.ok(!withoutScripts(html).includes("<img src=x"));
});

Deno.test("a script receives the result of each address as JSON", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.admin);
  const response = await chat.request(PAGE, {
    method: "POST",
    body: new URLSearchParams({ action: "preview", emails: "Noor <noor@example.org>, nobody" }),
    headers: {
      accept: "application/json",
      cookie: `sotto_session=${visitor.token()}`,
      origin: "http://localhost:8000",
    },
  });
  assert.deepEqual((await response.json())["addresses"], [
    { email: "noor@example.org", name: "Noor", problem: null },
    { email: "nobody", name: "", problem: "Invalid address." },
  ]);
});
