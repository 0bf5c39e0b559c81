import assert from "node:assert/strict";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";
import { basic, startChat } from "@/tests/helpers/chat.ts";

const ORIGIN = "https://evil.example";

/** Returns a POST request whose body is declared to be compressed. */
function compressed(body: BodyInit, headers: Record<string, string>): RequestInit {
  return { method: "POST", body, headers: { ...headers, "content-encoding": "gzip" } };
}

Deno.test("C20 a body with a content encoding is refused with 415 instead of being taken for its content", async () => {
  await using chat = await startChat();
  const authorization = basic(chat.member.email, chat.member.apiKey);
  const upload = new FormData();
  upload.set("file", new File(["hello"], "hello.txt"));
  const form = new URLSearchParams({ content: "hello" });
  const page = { accept: "text/html", "sec-fetch-site": "same-origin" };
  const tus = { authorization, "tus-resumable": "1.0.0", "upload-length": "5", "content-type": "x/y" };
  const requests: [path: string, init: RequestInit][] = [
    ["/", compressed('{"url":"https://example.com/"}', { "content-type": "application/json" })],
    ["/login", compressed(form, page)],
    ["/api/v1/saved_snippets", compressed(form, { authorization })],
    ["/api/v1/user_uploads", compressed(upload, { authorization })],
    ["/api/v1/tus", compressed("hello", tus)],
  ];
  for (const [path, init] of requests) {
    const response = await chat.request(path, init);
    await response.body?.cancel();
    assert.equal(response.status, 415, path);
  }
});

Deno.test("C20 the content encoding `identity` changes nothing", async () => {
  await using app = await startTestApp();
  const init = jsonBody({ url: "https://example.com/" });
  const headers = { "content-type": "application/json", "content-encoding": "identity" };
  assert.equal((await app.request("/", { ...init, headers })).status, 201);
});

Deno.test("C20 pages of other origins may read refusals of the shortener, and of nothing else", async () => {
  await using app = await startTestApp();
  const read = async (method: string, path: string) => {
    const init = method === "POST" ? { body: new URLSearchParams({ a: "b" }) } : {};
    const response = await app.request(path, { method, headers: { origin: ORIGIN }, ...init });
    await response.body?.cancel();
    return response.headers.get("access-control-allow-origin");
  };
  for (
    const path of ["/setup", "/login", "/forgot-password", "/join/abc", "/reset-password/abc", "/logout"]
  ) {
    assert.equal(await read("POST", path), null, path);
    assert.equal(await read("DELETE", path), null, path);
  }
  for (const path of ["/metrics", "/account/confirm-email/abc", "/user_uploads/1/ab/c.txt", "/a/b/c/d"]) {
    assert.equal(await read("GET", path), null, path);
  }
  for (const path of ["/", "/%E2%80%8C", "/%E2%80%8C/stats", "/stats"]) {
    assert.equal(await read("DELETE", path), "*", path);
  }
  assert.equal(await read("GET", "/%E2%80%8C"), "*");
});
