import assert from "node:assert/strict";
import { makeSetupToken } from "@/lib/chat/sessions/setup.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import { listRealms } from "@/lib/chat/realm/realm.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

const STRONG = "violet kettle seldom 42";

async function setupToken({ services }: TestApp): Promise<string> {
  const token = await makeSetupToken(services.chat);
  assert.ok(token !== null);
  return token;
}

function setupForm(token: string) {
  return {
    token,
    organization: "Gardeners",
    full_name: "Ada Green",
    email: "ada@example.com",
    password: STRONG,
  };
}

Deno.test("the one-time link makes the organization and its owner, signs him in, and is gone for good", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  const visitor = visitPages(app);
  assert.match((await visitor.get(`/setup?token=${token}`)).html, /Create the organization/);
  const made = await visitor.post("/setup", setupForm(token));
  assert.deepEqual([made.status, made.location], [303, "/account"]);
  assert.match((await visitor.get("/account")).html, /Ada Green/);
  const [realm] = await listRealms(app.services.chat);
  assert.deepEqual([realm?.name, realm?.subdomain], ["Gardeners", ""]);
  assert.equal((await visitor.get(`/setup?token=${token}`)).status, 404);
  assert.equal((await visitor.post("/setup", setupForm(token))).status, 404);
  assert.equal(await makeSetupToken(app.services.chat), null);
});

Deno.test("of many who use the link at once, one makes the organization", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  const statuses = await Promise.all(
    Array.from(
      { length: 8 },
      (_, at) => visitPages(app).post("/setup", { ...setupForm(token), email: `ada${at}@example.com` }),
    ),
  );
  assert.deepEqual(statuses.map(({ status }) => status).sort(), [303, 404, 404, 404, 404, 404, 404, 404]);
  assert.equal((await listRealms(app.services.chat)).length, 1);
});

Deno.test("a wrong link, and one from before the last start, open nothing", async () => {
  await using app = await startTestApp();
  const old = await setupToken(app);
  await setupToken(app);
  const visitor = visitPages(app);
  for (const token of ["", "x", old]) {
    assert.equal((await visitor.get(`/setup?token=${token}`)).status, 404);
    assert.equal((await visitor.post("/setup", setupForm(token))).status, 404);
  }
  assert.equal((await listRealms(app.services.chat)).length, 0);
});

Deno.test("all that is wrong with the form is said at once, beside its field, and what was typed stays", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  const form = { token, organization: " ", full_name: "A*", email: "ada@", password: "12345" };
  const { status, html } = await visitPages(app).post("/setup", form);
  assert.equal(status, 400);
  for (const problem of ["Organization name cannot be blank.", "Invalid characters in name!"]) {
    assert.ok(html.includes(problem), problem);
  }
  assert.ok(html.includes("Enter a valid email address.") && html.includes("New password is too weak!"));
  assert.ok(html.includes('value="A*"') && !html.includes("12345"));
  assert.equal((await listRealms(app.services.chat)).length, 0);
});

Deno.test("a form from another site makes nothing", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  for (
    const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }, {
      origin: "null",
    }, {}]
  ) {
    assert.equal((await visitPages(app).post("/setup", setupForm(token), headers)).status, 400);
  }
  assert.equal((await listRealms(app.services.chat)).length, 0);
});

Deno.test("an organization made on the command line ends the link", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  await createRealm(app.services.chat, {
    name: "Others",
    subdomain: "other",
    ownerEmail: "owner@example.com",
    ownerName: "Owner",
    ownerPassword: null,
  });
  assert.equal((await visitPages(app).post("/setup", setupForm(token))).status, 404);
  assert.equal((await listRealms(app.services.chat)).length, 1);
});
