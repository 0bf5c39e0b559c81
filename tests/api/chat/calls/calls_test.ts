import assert from "node:assert/strict";
import { CallProvider, consent, getAs, startConsent } from "@/tests/casts/calls_cast.ts";
import { PASSWORD, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";

const create = (chat: TestChat, user: TestUser) => chat.call(user, "POST /calls/videoprovider/create");

Deno.test("POST /calls/videoprovider/create requires a configured provider (B-call-01)", async () => {
  await using chat = await startChat();
  const { status, body } = await create(chat, chat.member);
  assert.deepEqual([status, body["code"]], [400, "BAD_REQUEST"]);
  assert.match(body["msg"], /credentials have not been configured/);
});

Deno.test("POST /calls/videoprovider/create creates a call only for a user who authorized the server", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  const before = await create(chat, chat.member);
  assert.deepEqual([before.status, before.body["code"], before.body["msg"]], [
    400,
    "INVALID_VIDEO_CALL_PROVIDER_TOKEN",
    "Invalid Meetings access token",
  ]);
  await chat.events();
  await consent(chat, chat.member);
  assert.deepEqual((await chat.events()).map(({ event, audience }) => [event, audience]), [
    [{ type: "has_videoprovider_token", value: true }, [chat.member.id]],
  ]);
  const exchange = new URLSearchParams(provider.requests[0]?.body);
  assert.deepEqual(Object.fromEntries(exchange), {
    grant_type: "authorization_code",
    code: "abc",
    redirect_uri: "http://localhost:8000/calls/videoprovider/complete",
    client_id: "sotto",
    client_secret: "quiet",
  });
  const created = await create(chat, chat.member);
  assert.deepEqual(created.body, { result: "success", msg: "", url: "https://calls.example/1" });
  assert.equal(provider.requests.at(-1)?.authorization, "Bearer first");
  assert.equal((await create(chat, chat.admin)).body["code"], "INVALID_VIDEO_CALL_PROVIDER_TOKEN");
  assert.equal((await create(chat, chat.bot)).body["msg"], "This endpoint does not accept bot requests.");
  const registered = await chat.call(chat.member, "POST /register", {
    event_types: ["has_videoprovider_token"],
  });
  assert.equal(registered.body["has_videoprovider_token"], true);
  for await (const { value } of chat.services.store.kv.list({ prefix: [chat.realm.id, "call_token"] })) {
    assert.ok(value instanceof Uint8Array && !new TextDecoder().decode(value).includes("first"));
  }
});

Deno.test("POST /calls/videoprovider/create refreshes an expiring token and deletes one that the provider rejects", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  await consent(chat, chat.member);
  chat.clock.time += 3_600_000;
  provider.token = () => Response.json({ access_token: "second", expires_in: "3600" });
  assert.equal((await create(chat, chat.member)).status, 200);
  assert.equal(provider.requests.at(-1)?.authorization, "Bearer second");
  assert.equal(new URLSearchParams(provider.requests.at(-2)?.body).get("refresh_token"), "again");
  await chat.events();
  provider.call = () => new Response("{}", { status: 401 });
  assert.equal((await create(chat, chat.member)).body["code"], "INVALID_VIDEO_CALL_PROVIDER_TOKEN");
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "has_videoprovider_token", value: false },
  ]);
  const requestCount = provider.requests.length;
  assert.equal((await create(chat, chat.member)).body["code"], "INVALID_VIDEO_CALL_PROVIDER_TOKEN");
  assert.equal(provider.requests.length, requestCount, "without a token, no request is sent");
});

Deno.test("a token is kept while the provider fails to refresh it, and deleted when the provider refuses", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  await consent(chat, chat.member);
  await chat.events();
  chat.clock.time += 3_600_000;
  for (const answer of [() => new Response("down", { status: 503 }), () => new Response("<html>")]) {
    provider.token = answer;
    const { status, body } = await create(chat, chat.member);
    assert.deepEqual([status, body["msg"]], [400, "Failed to create Meetings call"]);
  }
  assert.deepEqual(await chat.events(), []);
  provider.token = () => Response.json({ access_token: "second", expires_in: 3600 });
  assert.equal((await create(chat, chat.member)).status, 200);
  chat.clock.time += 3_600_000;
  provider.token = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  assert.equal((await create(chat, chat.member)).body["code"], "INVALID_VIDEO_CALL_PROVIDER_TOKEN");
  assert.deepEqual((await chat.events()).map(({ event }) => event), [
    { type: "has_videoprovider_token", value: false },
  ]);
});

Deno.test("POST /calls/videoprovider/create fails for invalid responses of the provider (B-call-04)", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  await consent(chat, chat.member);
  const answers: (() => Response)[] = [
    () => new Response("no", { status: 500 }),
    () => Response.redirect("http://127.0.0.1:1/meta"),
    () => new Response("<html>"),
    () => Response.json({}),
    () => Response.json({ url: "javascript:alert(1)" }),
    () => new Response("x".repeat(400_000)),
  ];
  for (const answer of answers) {
    provider.call = answer;
    const { status, body } = await create(chat, chat.member);
    assert.deepEqual([status, body["code"], body["msg"]], [
      400,
      "BAD_REQUEST",
      "Failed to create Meetings call",
    ]);
  }
});

Deno.test("GET /calls/videoprovider/complete accepts a state once, within ten minutes and from its user, with a valid code", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  const complete = async (user: TestUser, query: string) => {
    const response = await getAs(chat, user, `/api/v1/calls/videoprovider/complete?${query}`);
    return [response.status, (await response.json()).msg];
  };
  const foreign = [400, "Invalid Meetings session identifier"];
  const state = await startConsent(chat, chat.member);
  assert.deepEqual(await complete(chat.admin, `code=abc&state=${state}`), foreign);
  assert.deepEqual(await complete(chat.member, `code=abc&state=.x`), foreign);
  assert.deepEqual(await complete(chat.member, ""), foreign);
  provider.token = () => Response.json({ error: "invalid_grant" }, { status: 400 });
  const bad = [400, "Invalid Meetings credentials"];
  assert.deepEqual(await complete(chat.member, `code=wrong&state=${state}`), bad);
  assert.deepEqual(await complete(chat.member, `code=abc&state=${state}`), foreign);
  const denied = await startConsent(chat, chat.member);
  assert.deepEqual(await complete(chat.member, `error=access_denied&state=${denied}`), bad);
  const late = await startConsent(chat, chat.member);
  chat.clock.time += 11 * 60_000;
  assert.deepEqual(await complete(chat.member, `code=abc&state=${late}`), foreign);
});

Deno.test("the browser flow returns users of another organization to their own subdomain", async () => {
  await using provider = new CallProvider();
  await using chat = await startChat({ env: provider.env });
  const other = visitPages(chat, "other.localhost:8000");
  await other.post("/login", { username: chat.outsider.email, password: PASSWORD });
  const sent = await other.get("/calls/videoprovider/register");
  const state = new URL(sent.location ?? "").searchParams.get("state");
  const path = `/calls/videoprovider/complete?code=abc&state=${state}`;
  const root = visitPages(chat);
  const onward = await root.get(path);
  assert.deepEqual([onward.status, onward.location], [302, `http://other.localhost:8000${path}`]);
  const done = await other.get(path);
  assert.deepEqual([done.status, done.location], [303, "/account?done=calls"]);
  assert.equal((await root.get("/calls/videoprovider/register")).status, 401);
});
