import assert from "node:assert/strict";
import { createLink, startMailingChat } from "@/tests/casts/join_cast.ts";
import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

const POINTS = 2;
const HOUR_MS = 60 * 60 * 1000;

/** A chat where a mailbox may be sent two mails an hour, behind a proxy that forwards the clients' addresses. */
function startLimited(): Promise<TestChat> {
  const rules = { mail_recipient: { points: POINTS, seconds: 3600 } };
  return startMailingChat({ env: { RATE_LIMITS: JSON.stringify(rules), TRUSTED_PROXIES: "127.0.0.1" } });
}

/** Sends a form from an address of its own, and returns the status, the time to wait and the page. */
async function post(chat: TestChat, path: string, { email, from }: { email: string; from: number }) {
  const headers = {
    "sec-fetch-site": "same-origin",
    accept: "text/html",
    "x-forwarded-for": `198.51.100.${from}`,
  };
  const response = await chat.request(path, {
    method: "POST",
    body: new URLSearchParams({ email }),
    headers,
  });
  const html = await response.text();
  return {
    status: response.status,
    wait: Number(response.headers.get("retry-after")),
    html: html.replaceAll(email, "ADDRESS").replaceAll(/in \d+ seconds/g, "in N seconds"),
  };
}

async function mailsTo(chat: TestChat, email: string): Promise<number> {
  return (await chat.mails()).filter(({ to }) => to?.[0]?.address === email).length;
}

Deno.test("S3 a mailbox gets few mails that reset a password, from however many addresses they are requested", async () => {
  await using chat = await startLimited();
  const { email } = chat.member;
  for (let from = 1; from <= POINTS; from++) {
    assert.equal((await post(chat, "/forgot-password", { email, from })).status, 200);
  }
  for (const alias of [email, email.toUpperCase(), email.replace("@", "+more@")]) {
    const refused = await post(chat, "/forgot-password", { email: alias, from: 9 });
    assert.equal(refused.status, 429);
    assert.ok(refused.wait > 0);
  }
  assert.equal(await mailsTo(chat, email), POINTS);
  const other = await post(chat, "/forgot-password", { email: chat.owner.email, from: 9 });
  assert.equal(other.status, 200);
  assert.equal(await mailsTo(chat, chat.owner.email), 1);
});

Deno.test("S3 the limit of a mailbox does not reveal whether it has an account", async () => {
  await using chat = await startLimited();
  const pagesOf = async (email: string, from: number) => {
    const pages = [];
    for (let at = 0; at <= POINTS; at++) {
      const { status, html } = await post(chat, "/forgot-password", { email, from: from + at });
      pages.push({ status, html });
    }
    return pages;
  };
  const known = await pagesOf(chat.member.email, 1);
  assert.deepEqual(known.map(({ status }) => status), [200, 200, 429]);
  for (const email of ["nobody@example.com", chat.bot.email, chat.outsider.email]) {
    assert.deepEqual(await pagesOf(email, 20), known);
  }
});

Deno.test("S3 a mailbox gets few join links, whoever requests them", async () => {
  await using chat = await startLimited();
  const { path } = await createLink(chat);
  const statuses: number[] = [];
  for (let from = 1; from <= POINTS + 1; from++) {
    statuses.push((await post(chat, path, { email: "noor@example.com", from })).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal(await mailsTo(chat, "noor@example.com"), POINTS);
  assert.equal((await post(chat, path, { email: "ben@example.com", from: 1 })).status, 200);
});

Deno.test("S3 several accounts together send a mailbox few links that confirm it", async () => {
  await using chat = await startLimited();
  const codes: unknown[] = [];
  for (const user of [chat.owner, chat.admin, chat.member]) {
    const { status, body } = await chat.call(user, "PATCH /settings", { email: "noor@example.com" });
    codes.push(status === 200 ? 200 : body["code"]);
  }
  assert.deepEqual(codes, [200, 200, "RATE_LIMIT_HIT"]);
  assert.equal(await mailsTo(chat, "noor@example.com"), POINTS);
});

Deno.test("S3 an invitation is sent to a mailbox again a few times only, until the period ends", async () => {
  await using chat = await startLimited();
  const sent = { invitee_emails: "noor@example.com", stream_ids: [] };
  assert.equal((await chat.call(chat.admin, "POST /invites", sent)).status, 200);
  const { invites } = (await chat.call(chat.admin, "GET /invites")).body;
  const resend = async () => {
    const { status, headers } = await chat.call(chat.admin, `POST /invites/${invites[0].id}/resend`);
    return [status, Number(headers.get("retry-after")) > 0];
  };
  assert.deepEqual([await resend(), await resend(), await resend()], [[200, false], [200, false], [
    429,
    true,
  ]]);
  assert.equal(await mailsTo(chat, "noor@example.com"), 1 + POINTS);
  chat.clock.time += HOUR_MS;
  assert.deepEqual(await resend(), [200, false]);
});

Deno.test("S3 deactivating an account again and again sends its mailbox few mails, and refusals send none", async () => {
  await using chat = await startLimited();
  const { email, id } = chat.member;
  const deactivate = async (caller: TestUser) => {
    const params = { deactivation_notification_comment: "Farewell!" };
    return (await chat.call(caller, `DELETE /users/${id}`, params)).status;
  };
  for (let at = 0; at <= POINTS; at++) assert.equal(await deactivate(chat.guest), 400);
  for (let at = 0; at < POINTS; at++) {
    assert.equal(await deactivate(chat.admin), 200);
    assert.equal((await chat.call(chat.admin, `POST /users/${id}/reactivate`)).status, 200);
  }
  assert.equal(await deactivate(chat.admin), 429);
  assert.equal(await mailsTo(chat, email), POINTS);
});
