import assert from "node:assert/strict";
import { basic, startChat } from "@/tests/helpers/chat.ts";

Deno.test("GET /users/me returns the user of the API key", async () => {
  await using chat = await startChat();
  const { status, body } = await chat.call(chat.member, "GET /users/me");
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.user_id, chat.member.id);
  assert.equal(body.result, "success");
  assert.equal("ignored_parameters_unsupported" in body, false);
});

Deno.test("GET /users/me refuses invalid credentials with the reference's messages, statuses and codes", async () => {
  await using chat = await startChat();
  const { member, outsider } = chat;
  const wrong = "x".repeat(32);
  const request = async (authorization: string | null) => {
    const headers: HeadersInit = authorization === null ? {} : { authorization };
    const response = await chat.request("/api/v1/users/me", { headers });
    const { code, msg } = await response.json();
    assert.equal(
      response.headers.get("www-authenticate"),
      response.status === 401 ? 'Basic realm="Sotto"' : null,
    );
    return [response.status, code, msg];
  };
  const malformed = [401, "UNAUTHORIZED", "Invalid authorization header for basic auth"];
  const invalid = [401, "INVALID_API_KEY", "Invalid API key"];
  assert.deepEqual(await request(null), [
    401,
    "UNAUTHORIZED",
    "Not logged in: API authentication or user session required",
  ]);
  assert.deepEqual(await request("Bearer abc"), [
    400,
    "BAD_REQUEST",
    "This endpoint requires HTTP basic authentication.",
  ]);
  assert.deepEqual(await request("Basic"), malformed);
  assert.deepEqual(await request("Basic !!!"), malformed);
  assert.deepEqual(await request(`Basic ${btoa("nocolon")}`), malformed);
  assert.deepEqual(await request(`Basic ${btoa("a:b:c")}`), malformed);
  assert.deepEqual(await request("Basic YTpi YTpi"), malformed);
  assert.deepEqual(await request(basic(member.email, "short")), [
    401,
    "INVALID_API_KEY",
    "Malformed API key",
  ]);
  assert.deepEqual(await request(basic(member.email, wrong)), invalid);
  assert.deepEqual(await request(basic("nobody@example.com", wrong)), invalid);
  assert.deepEqual(await request(basic(chat.admin.email, member.apiKey)), invalid);
  assert.deepEqual(await request(basic(outsider.email, outsider.apiKey)), invalid);
});

Deno.test("GET /users/me ignores the case of the username and surrounding blanks", async () => {
  await using chat = await startChat();
  const authorization = basic("  MEMBER@Example.COM ", ` ${chat.member.apiKey} `);
  const response = await chat.request("/api/v1/users/me", { headers: { authorization } });
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

Deno.test("GET /users/me finds the organization by the host's subdomain and reports an unknown one", async () => {
  await using chat = await startChat();
  assert.equal((await chat.call(chat.outsider, "GET /users/me")).body.full_name, "Outsider");
  const { member } = chat;
  const headers = { authorization: basic(member.email, member.apiKey) };
  const missing = await chat.request("/api/v1/users/me", { headers }, "nowhere.localhost:8000");
  assert.deepEqual([missing.status, (await missing.json()).code], [404, "NONEXISTENT_SUBDOMAIN"]);
  const address = await chat.request("/api/v1/users/me", { headers }, "127.0.0.1:8000");
  assert.equal((await address.json()).user_id, member.id);
});

Deno.test("GET /users/me lists unknown parameters in alphabetical order", async () => {
  await using chat = await startChat();
  const { body } = await chat.call(chat.member, "GET /users/me", { zebra: 1, apple: "x" });
  assert.deepEqual(body.ignored_parameters_unsupported, ["apple", "zebra"]);
});

Deno.test("unknown paths and methods return errors in the format of the chat API", async () => {
  await using chat = await startChat();
  const nowhere = await chat.call(null, "GET /nowhere");
  assert.deepEqual([nowhere.status, nowhere.body], [404, {
    result: "error",
    msg: "Not found",
    code: "NOT_FOUND",
  }]);
  const method = await chat.call(null, "POST /users/me");
  assert.equal(method.status, 405);
  assert.equal(method.body.msg, "Method Not Allowed");
  assert.ok(method.body.allowed_methods.includes("GET"));
  assert.ok(method.headers.get("allow")?.includes("GET"));
});
