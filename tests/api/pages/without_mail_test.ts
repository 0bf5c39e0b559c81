import assert from "node:assert/strict";
import { startMailingChat } from "@/tests/casts/join_cast.ts";
import { PASSWORD, startChat } from "@/tests/helpers/chat.ts";
import { signIn, visitPages } from "@/tests/helpers/pages.ts";

/** Claims that hold only where email is delivered. */
const CLAIMS = /sent instructions|have sent|spam folder|we send|we’ll send|we’ll email|link sent|email sent/i;

Deno.test("a forgotten password leads to an administrator while no email is delivered", async () => {
  await using chat = await startChat();
  const visitor = visitPages(chat);
  const pages = [
    await visitor.get("/forgot-password"),
    await visitor.post("/forgot-password", { email: chat.member.email }),
  ];
  for (const { status, html } of pages) {
    assert.equal(status, 200);
    assert.match(
      html,
      /This server sends no email\. Ask an administrator of your organization for a sign-in link/,
    );
    assert.ok(!html.includes("<form method") && !CLAIMS.test(html), html);
  }
  await using mailing = await startMailingChat();
  assert.match((await visitPages(mailing).get("/forgot-password")).html, /We will email you a link/);
});

Deno.test("the account page offers no change of the address that cannot be confirmed", async () => {
  await using chat = await startChat();
  const visitor = await signIn(chat, chat.member);
  const { html } = await visitor.get("/account");
  assert.match(html, /This server sends no email to confirm a new one; ask an administrator/);
  assert.ok(!html.includes('name="current_password"') && !CLAIMS.test(html));
  const form = { action: "email", email: "ben@example.com", current_password: PASSWORD };
  const { location } = await visitor.post("/account", form);
  const after = (await visitor.get(location ?? "")).html;
  assert.match(after, /This server sends no email\. Ask an administrator to change your address\./);
  assert.ok(!CLAIMS.test(after));
});

Deno.test("administrators see that email is written to files, and in which folder", async () => {
  await using chat = await startChat({ env: { MAIL_DIR: "kept/mail" } });
  const admin = await signIn(chat, chat.admin);
  const path = "/admin/organization/status";
  const { html } = await admin.get(path);
  assert.match(html, /Email is not sent\. It is written to files in kept\/mail\./);
  assert.match(html, /It is addressed to admin@example\.com, but not sent\./);
  await admin.post(path, { action: "test_mail" });
  const after = (await admin.get(path)).html;
  assert.match(after, /Test email to admin@example\.com written to a file in kept\/mail\./);
  const imported = (await admin.get("/admin/users/import")).html;
  assert.match(imported, /download a sign-in link for each of them/);
  assert.match(imported, /subscribed to the default channels/);
  for (const shown of [html, after]) assert.ok(!CLAIMS.test(shown));
});
