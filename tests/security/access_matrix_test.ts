import assert from "node:assert/strict";
import { partition } from "es-toolkit/array/partition";
import { ACCOUNTS, CALLERS } from "@/tests/casts/access_matrix/callers.ts";
import { startOrganization } from "@/tests/casts/access_matrix/organization.ts";
import type { Row } from "@/tests/casts/access_matrix/row.ts";
import { type CellResult, listDifferences, runMatrix } from "@/tests/casts/access_matrix/run_matrix.ts";
import { ApiDescription } from "@/tests/helpers/api_walk.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { ROWS } from "./access_matrix/rows.ts";

/** Operations that no account may use in the test's configuration, and what they need. */
const NEVER_ALLOWED: Readonly<Record<string, string>> = {
  "DELETE /api/v1/users/me/android_gcm_reg_id": "tokens of older apps, which are not stored",
  "DELETE /api/v1/users/me/apns_device_token": "tokens of older apps, which are not stored",
  "GET /api/v1/streams/{stream_id}/email_address": "incoming mail",
  "POST /api/v1/calls/videoprovider/create": "a video call service",
  "POST /api/v1/external/json": "the key of an incoming webhook in the address",
  "POST /api/v1/jwt/fetch_api_key": "a signed token",
  "POST /api/v1/mobile_push/e2ee/test_notification": "a device that the bouncer accepted",
  "POST /api/v1/mobile_push/test_notification": "a device that the bouncer accepted",
  "POST /api/v1/remotes/push/e2ee/notify": "the credentials of another server",
  "POST /api/v1/remotes/push/e2ee/register": "the credentials of another server",
  "POST /api/v1/users/me/android_gcm_reg_id": "unencrypted push notifications",
  "POST /api/v1/users/me/apns_device_token": "unencrypted push notifications",
};

/** Fails with all problems, one per line. */
function assertNone(problems: readonly string[]): void {
  assert.equal(problems.length, 0, `\n${problems.join("\n")}`);
}

/** Outcomes of the rows of each operation by caller. */
const OUTCOMES = listOutcomes();

function listOutcomes(): ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>> {
  const operations = new Map<string, Map<string, Set<string>>>();
  for (const { operation, expected } of ROWS) {
    const callers = operations.getOrInsertComputed(operation, () => new Map<string, Set<string>>());
    for (const [caller, outcome] of [...expected.values()].flatMap((line) => [...line])) {
      callers.getOrInsertComputed(caller, () => new Set<string>()).add(outcome);
    }
  }
  return operations;
}

/** Rows of requests without parameters, one for each operation of the chat API. */
const BARE_ROWS = [...OUTCOMES.keys()].filter((operation) => operation.includes("/api/v1/"))
  .map((operation): Row => ({ operation, kind: "nothing", request: {}, expected: new Map() }));

/**
 * Returns a problem if a caller is refused without parameters, or is not, unlike in every row. What spectators
 * may request depends on the parameters.
 */
function checkBareRequest({ row: { operation }, caller, outcome, answer }: CellResult): string[] {
  const outcomes = [...OUTCOMES.get(operation)?.get(caller.name) ?? []].join("");
  const isRefused = outcomes === "x" || outcomes === "!";
  if (caller.name === "spectator" || isRefused === (outcome === "x" || outcome === "!")) return [];
  return [`${caller.name}: ${operation}: ${outcomes}, but ${outcome} without parameters: ${answer}`];
}

Deno.test("each caller may do with each object what the access matrix says, and refusals change nothing", async (t) => {
  const { org, targets } = await startOrganization();
  await using _org = org;
  const { results, flagCommits } = await runMatrix({ org, targets }, [...ROWS, ...BARE_ROWS]);
  const [bare, full] = partition(results, ({ row }) => BARE_ROWS.includes(row));
  assertNone(listDifferences(ROWS, full));
  assert.ok(full.length > 15_000, `${full.length} cells`);
  await t.step("refusals of a caller's role or credentials precede the parameters", () => {
    assert.equal(bare.length, BARE_ROWS.length * CALLERS.length);
    assertNone(bare.flatMap(checkBareRequest));
  });
  await t.step("each commit that changes flags of messages has an event for their user", () => {
    assertNone(flagCommits.withoutEvent);
    assert.ok(flagCommits.count > 100, `${flagCommits.count} commits`);
  });
});

Deno.test("the access matrix has a row for each operation of /openapi.json, and no others", async () => {
  const { operations } = await ApiDescription.read();
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  const listed = new Set(ROWS.map(({ operation }) => operation));
  assertNone([
    ...described.filter((name) => !listed.has(name)).map((name) => `${name} has no row`),
    ...[...listed].filter((name) => !described.includes(name)).map((name) => `${name} is no operation`),
  ]);
});

Deno.test("each operation of the access matrix is allowed to an account, with an object that it may use", () => {
  const never = [...OUTCOMES].filter(([, callers]) =>
    !ACCOUNTS.some((account) => callers.get(account)?.has("+"))
  ).map(([operation]) => operation);
  assert.deepEqual(never.toSorted(), Object.keys(NEVER_ALLOWED));
});

Deno.test("/openapi.json marks credentials as optional for exactly the operations open to spectators", async () => {
  await using app = await startTestApp();
  const { paths } = await (await app.request("/openapi.json")).json();
  const problems = [...OUTCOMES].filter(([operation]) => operation.includes("/api/v1/")).flatMap(
    ([operation, callers]) => {
      const [method = "", path = ""] = operation.split(" ");
      const security: object[] = paths[path][method.toLowerCase()].security;
      const isOpen = callers.get("spectator")?.has("+") === true && callers.get("none")?.has("+") === false;
      const isOptional = security.some((schemes) => Object.keys(schemes).length === 0);
      return isOptional === isOpen ? [] : [`${operation}: ${JSON.stringify(security)}`];
    },
  );
  assertNone(problems);
});
