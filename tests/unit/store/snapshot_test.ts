import assert from "node:assert/strict";
import { createBatchedReads } from "@/lib/store/reads.ts";
import type { Key } from "@/lib/store/key.ts";
import { recordChange, Replicas } from "@/lib/store/replicas.ts";
import { placeOf, rowsOf } from "@/lib/store/resident.ts";
import { decodeRows, encodeRows, Snapshot } from "@/lib/store/snapshot.ts";
import { Table } from "@/lib/store/table.ts";
import { transact } from "@/lib/store/transact.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { writeRows } from "@/tests/helpers/write_rows.ts";

const NUL = String.fromCharCode(0);

Deno.test("rows under keys of every shape are read as they were written, and lie in the range of their place", async () => {
  using store = await openTestStore();
  const keys: Key[] = [
    ["realm", 1],
    ["realm", 2],
    [1, "owner_count"],
    [1, "user", 1],
    [1, "user", "1"],
    [1, "user", 1, 1],
    [1, "user", -1.5],
    [1, "user_by_email", `a${NUL}é😀@example.com`],
    [1, "push_devices", 1, new Uint8Array([0, 255])],
    [1, "push_devices", true],
    [1, "subscription", 1, 2],
    [1, "subscription", "1", 2],
    [1, "subscription", 1, 2, "more"],
    [1, "subscription", 1],
    [1, "subscription", true, 2],
    [1, "subscription"],
  ];
  await writeRows(store, keys.map((key, at) => [key, at]));
  const loaded = createBatchedReads({ kv: store.kv, replicas: new Replicas(store.kv) });
  for (const [at, key] of keys.entries()) {
    assert.equal(await createBatchedReads(store).read(key), at, String(key));
    assert.equal(await loaded.read(key), at, `loaded ${String(key)}`);
    assert.equal(await transact(store, (tx) => tx.get(key)), at);
    const place = placeOf(key);
    const names = [];
    if (place !== null) { for await (const row of store.kv.list(rowsOf(place))) names.push(String(row.key)); }
    assert.ok(place === null || names.includes(String(key)));
  }
  assert.equal(placeOf(["realm", 1, "more"]), null);
  assert.equal(placeOf([1, "realm", 1]), null);
});

Deno.test("the rows of a change keep counters, bytes and deletions in its record", () => {
  const rows = [
    { key: [1, "owner_count"], value: new Deno.KvU64(2n ** 64n - 1n) },
    {
      key: [1, "emoji", "x"],
      value: { bytes: new Uint8Array([1, 2]), at: new Date(0), big: 1n, map: new Map([[1, 2]]) },
    },
    { key: [1, "user", 1], value: undefined },
    { key: [1, "user", 2], value: null },
  ];
  assert.deepEqual(decodeRows(encodeRows(rows)), rows);
});

Deno.test("a change is recorded in pieces, or as too large for its record or its commit", () => {
  const record = (
    bytes: number,
    room = Infinity,
  ) => [
    ...recordChange(
      {
        realmId: 1,
        version: 7,
        bytes: encodeRows([{ key: [1, "user", 1], value: "x".repeat(bytes) }]),
      },
      room,
    ),
  ];
  assert.deepEqual(record(10).map(([key, { pieces }]) => [key, pieces]), [[[1, "change", 7, 0], 1]]);
  const pieces = record(150_000);
  assert.deepEqual(pieces.map(([key]) => key.at(-1)), [0, 1, 2]);
  for (const [, { pieces: count, bytes }] of pieces) {
    assert.equal(count, 3);
    assert.ok(bytes.length <= 61_440 && bytes.buffer.byteLength === bytes.length);
  }
  for (const tooLarge of [record(200_000), record(150_000, 100_000), record(10, 0)]) {
    assert.deepEqual(tooLarge.map(([key, piece]) => [key.at(-1), piece.pieces, piece.bytes.length]), [[
      0,
      0,
      0,
    ]]);
  }
});

Deno.test("a snapshot stays as it was after changes, and changes only the rows that it has", () => {
  const table = (...rows: [number, unknown][]) => Table.of(new Map(rows));
  const place = { realmId: 1, kind: "subscription", part: 5 };
  const first = new Snapshot(1, { version: 1, stamp: "1" })
    .withRows({ realmId: 1, kind: "user", part: null }, table([1, "Rose"]))
    .withRows(place, table([9, "old"]));
  const changed = [[1, "user", 2], [1, "subscription", 5, 9], [1, "subscription", 6, 9], [1, "group", 1]];
  const second = first.after({ version: 2, stamp: "2" }, changed.map((key) => ({ key, value: "new" })));
  assert.deepEqual(first.rows([1, "user"]).values(), ["Rose"]);
  assert.equal(first.get([1, "subscription", 5, 9]), "old");
  assert.deepEqual([second.version, second.stamp, second.rows([1, "user"]).values()], [2, "2", [
    "Rose",
    "new",
  ]]);
  assert.equal(second.get([1, "subscription", 5, 9]), "new");
  assert.equal(second.find({ ...place, part: 6 }), null);
  assert.equal(second.find({ ...place, kind: "group", part: null }), null);
  assert.equal(second.withRows(place, null).find(place), null);
  assert.equal(second.after({ version: 3, stamp: "3" }, null).find(place), null);
});
