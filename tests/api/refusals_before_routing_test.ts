import assert from "node:assert/strict";
import { isOpenPath } from "@/lib/server/open_paths.ts";
import { startTestApp } from "@/tests/helpers/app.ts";

/** Header by which pages of other origins may read a response. */
const OPEN = "access-control-allow-origin";

Deno.test("refusals before routing are open to other origins where the routes are", async () => {
  await using app = await startTestApp();
  for (const { path, load } of await app.services.listRoutes()) {
    const { handler } = Object(await load());
    const methods: Record<string, object> = Object(Object(handler).byMethod);
    const isOpen = Object.values(methods).some((method) =>
      Object(Object(method).spec).isOpenToOrigins === true
    );
    assert.equal(isOpenPath(path.replaceAll(/\{\w+\}/g, "x")), isOpen, path);
  }
});

Deno.test("every refusal before routing has the headers of the path's responses", async (t) => {
  await using app = await startTestApp({ maxInFlight: 1 });
  const requireHeaders = ({ status, headers }: Response, expected: number) => {
    assert.equal(status, expected);
    assert.equal(headers.get(OPEN), "*");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.ok(headers.has("content-security-policy"));
    assert.ok(headers.has("x-request-id"));
  };
  await t.step("an undecodable path", async () => {
    for (const path of ["/%ff", "/%ff/stats", "/%E0%A4%A", "/stats/badges/%ff"]) {
      requireHeaders(await app.request(path), 400);
    }
    assert.equal((await app.request("/api/v1/%ff")).headers.get(OPEN), null);
    assert.equal((await app.request("/admin/%ff")).headers.get(OPEN), null);
  });
  await t.step("an unknown method", async () => {
    requireHeaders(await app.request("/abc", { method: "PROPFIND" }), 405);
  });
  await t.step("overload", async () => {
    const gate = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => gate.promise.then(() => controller.close()),
    });
    const headers = { "content-type": "application/json" };
    const held = app.request("/", { method: "POST", headers, body });
    requireHeaders(await app.request("/abc"), 503);
    assert.equal((await app.request("/login")).headers.get(OPEN), null);
    gate.resolve();
    await held;
  });
  await t.step("a server that stops", async () => {
    app.services.status.isStopping = true;
    requireHeaders(await app.request("/abc"), 503);
    app.services.status.isStopping = false;
  });
});
