import assert from "node:assert/strict";
import { systemClock } from "@/lib/core/clock.ts";
import { TOKEN_VARIABLE } from "@/lib/store/connect/open_remote_kv.ts";
import { openStore } from "@/lib/store/open.ts";
import { findDenokv, KvServer } from "@/tests/helpers/denokv.ts";
import { reportMissing } from "@/tests/helpers/report_missing.ts";
import { KV_TOKEN } from "@/tests/helpers/server.ts";

/** Values of all kinds that records have. */
const VALUES: readonly unknown[] = [
  1.5,
  -0,
  "a text with “signs” 🌱",
  true,
  undefined,
  5n,
  new Uint8Array([0, 255, 7]),
  new Uint8Array(),
  new Deno.KvU64(2n ** 64n - 1n),
  [1, null, ["nested"]],
  { bytes: new Uint8Array([1, 2, 3]), at: new Date(5), of: new Map([["key", new Set([1])]]) },
];
/** A value of one packet, and one of several writes of a client. */
const [SMALL, LARGE] = [new Uint8Array(10), new Uint8Array(5000)];
const ROUNDS = 15;
/** Ratio below which both values take the same time. An answer that waits for a delayed acknowledgment takes 40 ms. */
const SAME = 10;

/** Returns the median time of a call in milliseconds. */
async function timeCall(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = systemClock.monotonic();
    await call();
    times.push(systemClock.monotonic() - start);
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
}

Deno.test("values are those of the runtime's own client, in both directions, and large ones do not wait", async () => {
  const program = findDenokv();
  if (program === null) return reportMissing("denokv", "cargo install denokv --locked");
  await using server = await KvServer.start(program);
  Deno.env.set(TOKEN_VARIABLE, KV_TOKEN);
  using own = await openStore(server.url);
  using runtime = await Deno.openKv(server.url);
  for (const [at, value] of VALUES.entries()) {
    await own.kv.set(["own", at], value);
    assert.deepEqual((await runtime.get(["own", at])).value, value);
    await runtime.set(["runtime", at], value);
    assert.deepEqual((await own.kv.get(["runtime", at])).value, value);
  }
  const listed = await Array.fromAsync(own.kv.list({ prefix: ["runtime"] }), ({ value }) => value);
  assert.deepEqual(listed, VALUES);
  const entries = await own.kv.getMany([["runtime", 0], ["absent"]]);
  assert.deepEqual(entries.map(({ value }) => value), [VALUES[0], null]);
  const { ok } = await own.kv.atomic().check(...entries).sum(["sum"], 2n).set(["sum", 1], 1).commit();
  assert.equal(ok, true);
  await own.kv.atomic().sum(["sum"], 3n).commit();
  assert.deepEqual((await runtime.get(["sum"])).value, new Deno.KvU64(5n));
  const stale = own.kv.atomic().check({ key: ["sum"], versionstamp: null }).delete(["sum"]);
  assert.equal((await stale.commit()).ok, false);

  const small = await timeCall(() => own.kv.set(["small"], SMALL));
  const large = await timeCall(() => own.kv.set(["large"], LARGE));
  assert.ok(large < SAME * small, `${large} ms for ${LARGE.length} bytes, ${small} ms for ${SMALL.length}`);
});
