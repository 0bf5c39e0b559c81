import assert from "node:assert/strict";
import { aliased, optional, text } from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";
import { listRefusals, listRefusalStatuses } from "@/lib/api/access.ts";
import { createRefusalCheck } from "@/tests/helpers/declared_refusals.ts";

const done = () => Promise.resolve();

Deno.test("listRefusals() derives codes from access, parameters, ids and method", () => {
  const open = { access: "public", params: {} } as const;
  assert.deepEqual(Object.fromEntries(listRefusals(open, "get")), {
    400: ["BAD_REQUEST"],
    429: ["RATE_LIMIT_HIT"],
    503: ["UNAVAILABLE"],
  });
  const params = { name: text(), topic: aliased(optional(text()), "subject") };
  const closed = { access: "admin", params, ids: ["id"], refusals: [["BAD_REQUEST", 404]] } as const;
  const byStatus = Object.fromEntries(listRefusals(closed, "PATCH"));
  assert.deepEqual(byStatus[400], [
    "BAD_REQUEST",
    "UNAUTHORIZED_PRINCIPAL",
    "REQUEST_VARIABLE_MISSING",
    "REQUEST_CONFUSING_VAR",
  ]);
  assert.deepEqual(byStatus[401]?.toSorted(), [
    "INVALID_API_KEY",
    "REALM_DEACTIVATED",
    "UNAUTHORIZED",
    "USER_DEACTIVATED",
  ]);
  assert.deepEqual(byStatus[404]?.toSorted(), ["BAD_REQUEST", "NONEXISTENT_SUBDOMAIN", "NOT_FOUND"]);
  assert.deepEqual(Object.keys(byStatus), ["400", "401", "404", "408", "409", "413", "415", "429", "503"]);
});

Deno.test("listRefusalStatuses() adds those of a body and of a limit", () => {
  assert.deepEqual(listRefusalStatuses({ refusals: ["NOT_FOUND"] }), [400, 404, 503]);
  assert.deepEqual(listRefusalStatuses({ body: {}, rateLimit: "shorten" }), [400, 408, 413, 415, 429, 503]);
});

Deno.test("tests fail when an operation answers a refusal that it does not declare", async () => {
  const spec = { summary: "List", access: "public", params: {}, refusals: ["GONE"] } as const;
  const handler = methods({ GET: apiEndpoint(spec, done) });
  const check = createRefusalCheck([{
    path: "/api/v1/things/{id}",
    load: () => Promise.resolve({ handler }),
  }]);
  const answer = async (code: string, status: number) =>
    await check(
      new Request("http://localhost/api/v1/things/1"),
      Response.json({ result: "error", msg: "No", code }, { status }),
    );
  await answer("GONE", 410);
  await answer("INTERNAL", 500);
  await assert.rejects(() => answer("CONFLICT", 409), /GET \/api\/v1\/things\/\{id\} answers 409 CONFLICT/);
  await assert.rejects(() => answer("GONE", 404), /answers 404 GONE/);
});
