import assert from "node:assert/strict";
import { prefersPage } from "@/lib/api/accept.ts";
import { toBadge } from "@/lib/api/badge.ts";
import { readBearer } from "@/lib/api/principal.ts";
import { readBytes, readForm, readJson } from "@/lib/api/body.ts";
import { createAddressReader, isLoopback, toAddressGroup } from "@/lib/services/client_address.ts";
import { createLog } from "@/lib/services/log.ts";
import { createTimestamper } from "@/lib/core/clock.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { toBodySource } from "@/tests/helpers/body_source.ts";

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

Deno.test("readBytes() times out on a body that does not arrive", async () => {
  const never = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  await assert.rejects(readBytes(toBodySource(post(never)), { maxBytes: 10, deadlineMs: 20 }), {
    code: "REQUEST_TIMEOUT",
  });
});

Deno.test("readBytes() starts a timer only for a body that has not arrived", async () => {
  const name = "setInterval";
  const start = globalThis[name];
  let timers = 0;
  Object.assign(globalThis, { [name]: (...args: Parameters<typeof start>) => (timers++, start(...args)) });
  try {
    const sizes: number[] = [];
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      sizes.push((await readBytes(toBodySource(request), { maxBytes: 10 })).length);
      return new Response();
    });
    const send = async (body: BodyInit) =>
      await (await fetch(`http://127.0.0.1:${server.addr.port}/`, { method: "POST", body })).text();
    await send("12345");
    assert.deepEqual([sizes, timers], [[5], 0]);
    let pulls = 0;
    const late = new ReadableStream<Uint8Array>({
      async pull(controller) {
        // The server waits for the body by then.
        while (timers === 0) await yieldToEventLoop();
        if (pulls++ === 0) controller.enqueue(new Uint8Array(3));
        else controller.close();
      },
    }, { highWaterMark: 0 });
    await send(late);
    assert.deepEqual([sizes, timers], [[5, 3], 1]);
  } finally {
    Object.assign(globalThis, { [name]: start });
  }
});

Deno.test("readBytes() refuses by the declared length, and by the actual length", async () => {
  await assert.rejects(readBytes(toBodySource(post("x".repeat(11))), { maxBytes: 10 }), {
    code: "CONTENT_TOO_LARGE",
  });
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(4 + 0 * pulled++)),
  });
  await assert.rejects(readBytes(toBodySource(post(endless)), { maxBytes: 10 }), {
    code: "CONTENT_TOO_LARGE",
  });
  assert.ok(pulled < 10);
  const three = ReadableStream.from([new Uint8Array(4), new Uint8Array(4), new Uint8Array(2)]);
  assert.equal((await readBytes(toBodySource(post(three)), { maxBytes: 10 })).length, 10);
});

Deno.test("readBytes() distinguishes an interrupted body from a server failure", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("connection reset")),
  });
  await assert.rejects(readBytes(toBodySource(post(broken)), { maxBytes: 10 }), { code: "BAD_REQUEST" });
});

Deno.test("readJson() accepts only UTF-8 JSON", async () => {
  assert.deepEqual(await readJson(toBodySource(post('{"a":1}', { "content-type": "application/json" }))), {
    a: 1,
  });
  const latin1 = post('{"a":1}', { "content-type": "application/json; charset=iso-8859-1" });
  await assert.rejects(readJson(toBodySource(latin1)), { code: "UNSUPPORTED_MEDIA_TYPE" });
  const types = ["", ";", " ; ", ";charset=utf8", '; charset = "UTF-8" ;'];
  for (const end of types) {
    assert.equal(
      await readJson(toBodySource(post("1", { "content-type": `Application/JSON${end}` }))),
      1,
      end,
    );
  }
  for (
    const end of ["x", ";;", "; charset", "; charset=utf-16", "; charset=utf-8 x", `;${" ".repeat(1000)};`]
  ) {
    const sent = post("1", { "content-type": `application/json${end}` });
    await assert.rejects(readJson(toBodySource(sent)), { code: "UNSUPPORTED_MEDIA_TYPE" }, end);
  }
  const invalid = post(new Uint8Array([0x22, 0xff, 0x22]), { "content-type": "application/json" });
  await assert.rejects(readJson(toBodySource(invalid)), { code: "BAD_REQUEST" });
});

Deno.test("readForm() decodes names and values and returns the last value of a name", async () => {
  const form = await readForm(toBodySource(post("a=1&a=2&%C3%BC=x+y")));
  assert.deepEqual([...form], [["a", "2"], ["ü", "x y"]]);
});

Deno.test("prefersPage() is true for browsers only", () => {
  const browsers = [
    "text/html",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "text/*, */*;q=0.1",
  ];
  const others = [
    null,
    "",
    "*/*",
    "application/json",
    "application/json,text/html",
    "text/html;q=0.4,application/json;q=0.9",
    "text/html;q=0",
  ];
  for (const accept of browsers) assert.equal(prefersPage(accept), true, accept);
  for (const accept of others) assert.equal(prefersPage(accept), false, String(accept));
});

Deno.test("readBearer() reads only a bearer key", () => {
  const read = (authorization: string) =>
    readBearer(new Request("http://localhost/", { headers: { authorization } }));
  assert.equal(read("Bearer abc"), "abc");
  assert.equal(read("bearer  abc "), "abc");
  for (const other of ["Basic abc", "Bearer", "Bearer a b", "xBearer abc"]) {
    assert.equal(read(other), null, other);
  }
});

Deno.test("an address reader trusts only configured proxies, from the right", () => {
  const reader = createAddressReader(["10.0.0.0/8", "192.0.2.1", "fd00::/8"]);
  const read = (remote: string, forwardedFor: string | null) =>
    reader.read(remote, new Headers(forwardedFor === null ? [] : [["x-forwarded-for", forwardedFor]]));
  assert.equal(read("203.0.113.5", "198.51.100.1"), "203.0.113.5");
  assert.equal(read("10.1.2.3", null), "10.1.2.3");
  assert.equal(read("10.1.2.3", "198.51.100.1"), "198.51.100.1");
  assert.equal(read("10.1.2.3", "198.51.100.1, 203.0.113.7, 192.0.2.1"), "203.0.113.7");
  assert.equal(read("10.1.2.3", "198.51.100.1, nonsense"), "10.1.2.3");
  assert.equal(read("::ffff:10.1.2.3", "2001:db8::1"), "2001:db8::1");
  assert.equal(read("10.1.2.3", "10.9.9.9"), "10.9.9.9");
});

Deno.test("addresses of one IPv6 network count as one", () => {
  assert.equal(toAddressGroup("2001:db8:1:2:3:4:5:6"), toAddressGroup("2001:db8:1:2::9"));
  assert.notEqual(toAddressGroup("2001:db8:1:2::"), toAddressGroup("2001:db8:1:3::"));
  assert.equal(toAddressGroup("::ffff:192.0.2.1"), "192.0.2.1");
  assert.deepEqual(["127.0.0.9", "::1", "::ffff:127.0.0.1", "10.0.0.1"].map(isLoopback), [
    true,
    true,
    true,
    false,
  ]);
});

Deno.test("a log that cannot be written fast enough drops lines and reports their number", async () => {
  const gate = Promise.withResolvers<void>();
  const written: string[] = [];
  const log = createLog(async (bytes) => {
    await gate.promise;
    written.push(new TextDecoder().decode(bytes));
  }, () => 0);
  const line = "x".repeat(1000);
  for (let at = 0; at < 6000; at++) log.event("info", line);
  gate.resolve();
  await log.flush();
  const lines = written.join("").trim().split("\n");
  const dropped = lines.map((text) => JSON.parse(text)).find(({ message }) =>
    message === "log lines dropped"
  );
  assert.equal(dropped.dropped + lines.length - 1, 6000);
});

Deno.test("a log whose reader has gone does not fail", async () => {
  const log = createLog(() => Promise.reject(new Error("broken pipe")), () => 0);
  log.event("info", "hello");
  await log.flush();
});

Deno.test("createTimestamper() formats like Date", () => {
  const times = [0, 1, 999, 1000, 1763722800000, 1763722800007, 1763722800070, 253402300799999];
  assert.deepEqual(times.map(createTimestamper()), times.map((time) => new Date(time).toISOString()));
});

Deno.test("codePointLength() counts code points, lone surrogates as one", () => {
  for (const text of ["", "abc", "ü€", "a\u{1f600}b", "\ud800", "\ud800x\udc00", "\u{1f600}".repeat(9)]) {
    assert.equal(codePointLength(text), [...text].length, JSON.stringify(text));
  }
});

Deno.test("count badges are short", () => {
  const messages = [0, 999, 1000, 13_334, 999_949, 1_200_000, 9007199254740991].map((count) =>
    toBadge("urls", count).message
  );
  assert.deepEqual(messages, ["0", "999", "1K", "13.3K", "999.9K", "1.2M", "9007.2T"]);
});
