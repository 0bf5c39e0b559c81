import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import type { ApiEndpoint } from "@/lib/api/api_endpoint.ts";
import { listApiRoutes } from "@/lib/api/openapi.ts";
import { isApiEndpoint } from "@/lib/api/openapi_chat.ts";
import { z } from "zod";
import { startTestApp } from "@/tests/helpers/app.ts";
import { basic, startChat, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";

const GZIP = { "accept-encoding": "gzip, deflate, br" };

async function send(chat: TestChat, user: TestUser, endpoint: string, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = endpoint.split(" ");
  const authorization = basic(user.email, user.apiKey);
  const response = await chat.request(`/api/v1${path}`, { method, headers: { authorization, ...headers } });
  assert.equal(response.status, 200, endpoint);
  return { headers: response.headers, bytes: await response.bytes() };
}

/** Creates saved snippets, whose list is some `count` kB long. */
async function fillSnippets(chat: TestChat, count: number): Promise<void> {
  const content = "A sentence that an answer repeats many times. ".repeat(20);
  for (let number = 0; number < count; number++) {
    const params = { title: `Snippet ${number}`, content };
    assert.equal((await chat.call(chat.member, "POST /saved_snippets", params)).status, 200);
  }
}

Deno.test("answers over 1 kB are compressed for clients that accept gzip, and for no others", async () => {
  await using chat = await startChat();
  await fillSnippets(chat, 10);
  const plain = await send(chat, chat.member, "GET /saved_snippets");
  assert.ok(plain.bytes.length > 9_000);
  assert.equal(plain.headers.get("content-encoding"), null);
  assert.equal(plain.headers.get("vary"), "Authorization, Cookie, Accept-Encoding");
  for (const accepted of ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.2", "*"]) {
    const { headers, bytes } = await send(chat, chat.member, "GET /saved_snippets", {
      "accept-encoding": accepted,
    });
    assert.equal(headers.get("content-encoding"), "gzip", accepted);
    assert.equal(headers.get("content-type"), "application/json");
    assert.equal(headers.get("vary"), plain.headers.get("vary"));
    assert.ok(bytes.length < plain.bytes.length / 8);
    assert.deepEqual(new Uint8Array(gunzipSync(bytes)), plain.bytes);
  }
  for (const accepted of ["", "br", "identity", "gzip;q=0", "identity, gzip;q=0.5"]) {
    const { headers, bytes } = await send(chat, chat.member, "GET /saved_snippets", {
      "accept-encoding": accepted,
    });
    assert.equal(headers.get("content-encoding"), null, accepted);
    assert.deepEqual(bytes, plain.bytes);
  }
});

Deno.test("answers up to 1 kB are sent as they are", async () => {
  await using chat = await startChat();
  const { headers } = await send(chat, chat.member, "GET /saved_snippets", GZIP);
  assert.equal(headers.get("content-encoding"), null);
  assert.equal(headers.get("vary"), "Authorization, Cookie");
});

Deno.test("answers that are streamed are compressed while they are sent", async () => {
  await using chat = await startChat();
  await fillSnippets(chat, 200);
  const plain = await send(chat, chat.member, "GET /saved_snippets");
  const { headers, bytes } = await send(chat, chat.member, "GET /saved_snippets", GZIP);
  assert.equal(headers.get("content-encoding"), "gzip");
  assert.equal(headers.get("content-length"), null);
  assert.ok(bytes.length < plain.bytes.length / 8);
  assert.deepEqual(new Uint8Array(gunzipSync(bytes)), plain.bytes);
  const cancelled = await chat.request("/api/v1/saved_snippets", {
    headers: { authorization: basic(chat.member.email, chat.member.apiKey), ...GZIP },
  });
  await cancelled.body?.cancel();
});

Deno.test("pages of other sites receive no compressed answer", async () => {
  await using chat = await startChat();
  await fillSnippets(chat, 2);
  const rows = [["cross-site", null], ["same-site", null], ["same-origin", "gzip"], [
    "none",
    "gzip",
  ]] as const;
  for (const [site, coding] of rows) {
    const { headers } = await send(chat, chat.member, "GET /saved_snippets", {
      ...GZIP,
      "sec-fetch-site": site,
    });
    assert.equal(headers.get("content-encoding"), coding, site);
  }
});

Deno.test("answers with keys are never compressed, neither here nor by a gateway", async () => {
  await using chat = await startChat();
  for (let number = 0; number < 10; number++) {
    const bot = { full_name: `Bot ${number}`, short_name: `bot${number}` };
    assert.equal((await chat.call(chat.member, "POST /bots", bot)).status, 200);
    await chat.call(chat.owner, "POST /invites/multiuse", { stream_ids: [] });
  }
  for (const [user, endpoint] of [[chat.member, "GET /bots"], [chat.owner, "GET /invites"]] as const) {
    const { headers, bytes } = await send(chat, user, endpoint, GZIP);
    assert.ok(bytes.length > 1_024, endpoint);
    assert.equal(headers.get("content-encoding"), null, endpoint);
    assert.equal(headers.get("cache-control"), "no-store, no-transform");
    assert.equal(headers.get("vary"), "Authorization, Cookie");
  }
});

/** Members of answers that are keys or tokens. */
const SECRET_MEMBER = /^(?:.*_)?(?:api_key|token|secret|password|invite_link|link_url)$/;

/** Returns the names of the texts that a schema describes, at any depth. */
function listTexts(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? Object.entries(schema.properties ?? {}) : [];
  const texts = own.filter(([, member]) => JSON.stringify(member).includes('"string"')).map(([name]) => name);
  return [...texts, ...Object.values(schema).flatMap(listTexts)];
}

/** Lists the endpoints of the chat API with their names. */
async function listEndpoints(): Promise<[name: string, endpoint: ApiEndpoint][]> {
  await using app = await startTestApp();
  return (await listApiRoutes(app.services)).flatMap(({ path, handler }) =>
    Object.entries(handler.byMethod).flatMap(([method, endpoint]): [string, ApiEndpoint][] =>
      isApiEndpoint(endpoint) ? [[`${method} ${path}`, endpoint]] : []
    )
  );
}

Deno.test("every endpoint whose answer has a member for a key or a token says that it holds secrets", async () => {
  const found = new Set<string>();
  for (const [name, { apiSpec: { success, holdsSecrets = false } }] of await listEndpoints()) {
    if (success === undefined) continue;
    const secrets = listTexts(z.toJSONSchema(success)).filter((text) => SECRET_MEMBER.test(text));
    if (secrets.length > 0) found.add(name);
    assert.ok(secrets.length === 0 || holdsSecrets, `${name} answers ${secrets.join(", ")}`);
  }
  assert.ok(found.size >= 9, [...found].join("; "));
});
