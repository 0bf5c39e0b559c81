import assert from "node:assert/strict";
import { createSetupToken } from "@/lib/chat/people/auth/confirmations.ts";
import { createRealm } from "@/lib/chat/people/users/create_realm.ts";
import { listRealms } from "@/lib/chat/organization/organizations/model.ts";
import { startTestApp, type TestApp } from "@/tests/helpers/app.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

const STRONG = "violet kettle seldom 42";

async function setupToken({ services }: TestApp): Promise<string> {
  const token = await createSetupToken(services.chat);
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

Deno.test("the one-time link creates the organization and its owner, signs them in, and stops working", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  const visitor = visitPages(app);
  assert.match((await visitor.get(`/setup?token=${token}`)).html, /Create organization/);
  const created = await visitor.post("/setup", setupForm(token));
  assert.deepEqual([created.status, created.location], [303, "/admin"]);
  assert.match((await visitor.get("/account")).html, /Ada Green/);
  const [realm] = await listRealms(app.services.chat);
  assert.deepEqual([realm?.name, realm?.subdomain], ["Gardeners", ""]);
  const used = await visitor.get(`/setup?token=${token}`);
  assert.equal(used.status, 404);
  assert.match(used.html, /This server is set up/);
  assert.equal((await visitor.post("/setup", setupForm(token))).status, 404);
  assert.equal(await createSetupToken(app.services.chat), null);
});

Deno.test("concurrent uses of the link create one organization", async () => {
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

Deno.test("a wrong link and one from before the last start are refused", async () => {
  await using app = await startTestApp();
  const old = await setupToken(app);
  await setupToken(app);
  const visitor = visitPages(app);
  for (const token of ["", "x", old]) {
    const { status, html } = await visitor.get(`/setup?token=${token}`);
    assert.equal(status, 404);
    assert.match(html, /Open the whole setup link that the server printed last\./);
    assert.equal((await visitor.post("/setup", setupForm(token))).status, 404);
  }
  assert.equal((await listRealms(app.services.chat)).length, 0);
});

Deno.test("all problems of the form are reported at once, each at its field, and input is kept", async () => {
  await using app = await startTestApp();
  const token = await setupToken(app);
  const form = { token, organization: " ", full_name: "A*", email: "ada@", password: "12345" };
  const { status, html } = await visitPages(app).post("/setup", form);
  assert.equal(status, 400);
  for (const problem of ["Organization name cannot be blank.", "Invalid characters in name."]) {
    assert.ok(html.includes(problem), problem);
  }
  assert.ok(html.includes("Enter a valid email address.") && html.includes("The password is too short."));
  assert.ok(html.includes('value="A*"') && !html.includes("12345"));
  assert.equal((await listRealms(app.services.chat)).length, 0);
});

Deno.test("a form from another site creates nothing", async () => {
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

Deno.test("an organization created on the command line invalidates the link", async () => {
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
