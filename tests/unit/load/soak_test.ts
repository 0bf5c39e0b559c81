import assert from "node:assert/strict";
import { interleave, SOAK_KINDS, toBytes } from "@/tests/load/soak/kinds.ts";
import {
  listVerdicts,
  type Observed,
  relativeChange,
  toDurationTable,
  toSliceTable,
} from "@/tests/load/soak/report.ts";

const DURATION = 100_000;
const MIB = 1024 * 1024;

/** Observes memory and durations that follow functions of the share of the time. */
function observe(memoryAt: (share: number) => number, msAt: (share: number) => number): Observed {
  const shares = Array.from({ length: 100 }, (_, at) => at / 100);
  return {
    durationMs: DURATION,
    samples: shares.map((share) => ({
      at: share * DURATION,
      memory: memoryAt(share) * MIB,
      files: 50,
      store: (1 + share) * MIB,
      wal: 4 * MIB,
    })),
    answers: shares.map((share, at) => ({
      kind: "visit",
      at: share * DURATION,
      ms: msAt(share),
      isError: at === 3,
    })),
  };
}

Deno.test("a change is that of the line through the points, relative to their mean", () => {
  assert.equal(relativeChange([[0, 10], [5, 10], [10, 10]]), 0);
  assert.equal(relativeChange([[0, 5], [5, 10], [10, 15]]), 1);
  assert.equal(relativeChange([[0, 15], [10, 5]]), -1);
  for (const points of [[], [[3, 4]], [[0, 0], [1, 0]]] as const) assert.equal(relativeChange(points), 0);
});

Deno.test("verdicts look at the second half alone", () => {
  const warm = listVerdicts(observe((share) => share < 0.4 ? 100 : 200, () => 5));
  assert.deepEqual(warm, [
    "resident memory, MiB: flat (+0.0 % of its mean over the second half)",
    "open files: flat (+0.0 % of its mean over the second half)",
    "-wal, MiB: flat (+0.0 % of its mean over the second half)",
    "growth of the store: flat (+0.0 % of its mean over the second half)",
    "visit, p50: flat (+0.0 % of its mean over the second half)",
    "visit, p99: flat (+0.0 % of its mean over the second half)",
    "errors: 1 of 100 requests",
  ]);
  const leaking = listVerdicts(observe((share) => 100 + 100 * share, (share) => 10 - 8 * share));
  assert.match(leaking[0] ?? "", /^resident memory, MiB: RISES \(\+\d/);
  assert.match(leaking[4] ?? "", /^visit, p50: falls \(−\d/);
});

Deno.test("tables have a row or column for each slice of time", () => {
  const observed = observe(() => 100, () => 5);
  const rows = toSliceTable(observed).split("\n");
  assert.equal(rows.length, 12);
  assert.match(rows[2] ?? "", /^\| 0\.0 – 0\.2 +\| +100 \| +50 \| +1 \| +4 \| +10 \| +1 \|$/);
  assert.match(toDurationTable(observed), /^\| visit +\|( +5\.0 \/ 5 +\|){10}$/m);
});

Deno.test("kinds come in proportion to their weights, evenly", () => {
  assert.deepEqual(interleave([2, 1, 1], 8), [0, 1, 2, 0, 0, 1, 2, 0]);
  const order = interleave(SOAK_KINDS.map(({ weight }) => weight));
  for (const at of SOAK_KINDS.keys()) assert.ok(order.includes(at), String(at));
});

Deno.test("requests have the length of their body", () => {
  const user = { id: 1, authorization: "Basic x" };
  const scene = {
    people: { owner: user, members: [user] },
    ownerPassword: "grün",
    channelId: 1,
    messageId: 2,
    shorts: ["/a"],
  };
  for (const { name, request } of SOAK_KINDS) {
    const text = new TextDecoder().decode(toBytes(request(scene, 7), 7));
    const [head = "", ...bodies] = text.split("\r\n\r\n");
    const size = new TextEncoder().encode(bodies.join("\r\n\r\n")).length;
    assert.equal(Number(/^content-length: (\d+)$/m.exec(head)?.[1]), size, name);
  }
});
