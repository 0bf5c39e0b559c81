import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { formatLine } from "@/lib/cli/transfer/export_format.ts";
import { ImportWriter } from "@/lib/cli/transfer/import_writer.ts";
import { readExport } from "@/lib/cli/transfer/read_export.ts";
import { Expectation } from "@/lib/cli/transfer/verification.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import { IMPORT_MARK, migrate } from "@/lib/store/migrate.ts";
import { BulkWriter } from "@/lib/store/bulk_writer.ts";

const ID = "16b78277-3a72-45be-9358-52ab0f546dc5";
const HEADER = {
  ...{ format: "sotto-export", version: 1, id: ID, schema_version: 10 },
  created_at: "2026-11-23T14:17:34.732Z",
};
/** Milliseconds since 1970 UTC, long after any run of the tests. */
const FAR = Date.UTC(2126, 0, 1);
const ENTRIES = Array.from({ length: 2500 }, (_, at) => ({
  key: ["entry", at],
  value: at % 500 === 0 ? new Uint8Array(60_000).fill(at) : { at, name: "é".repeat(at % 40) },
  expiresAt: at % 7 === 0 ? FAR : null,
}));

/** Returns the lines of an export of the entries. */
function toLines(header: object = HEADER): string[] {
  const lines = [JSON.stringify(header), ...ENTRIES.map(formatLine)];
  const sha256 = createHash("sha256").update(lines.map((line) => line + "\n").join("")).digest("hex");
  return [...lines, JSON.stringify({ entries: ENTRIES.length, sha256 })];
}

/** Reads an export that arrives in pieces of a size that no line has. */
function read(text: string) {
  const bytes = new TextEncoder().encode(text);
  const starts = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, at) => at * 997);
  return readExport(ReadableStream.from(starts.map((start) => bytes.slice(start, start + 997))));
}

const toText = (lines: readonly string[]) => lines.map((line) => line + "\n").join("");

async function readAll(text: string): Promise<number> {
  const { entries } = await read(text);
  return (await Array.fromAsync(entries)).length;
}

async function importUpTo(store: Store, count: number): Promise<ImportWriter> {
  const writer = await ImportWriter.begin(store, ID);
  const { entries } = await read(toText(toLines()));
  for await (const entry of entries) {
    await writer.write(entry);
    if (writer.entries === count) return writer;
  }
  await writer.flush();
  return writer;
}

async function createExpectation(): Promise<Expectation> {
  const expectation = new Expectation();
  for await (const entry of (await read(toText(toLines()))).entries) expectation.add(entry);
  return expectation;
}

Deno.test("an export that was cut off or changed anywhere is refused", async () => {
  const lines = toLines();
  assert.equal(await readAll(toText(lines)), ENTRIES.length);
  const changed = lines.with(3, lines[3]?.replace('"at":2', '"at":9') ?? "");
  const refused: readonly (readonly [RegExp, string])[] = [
    [/incomplete.*after 2500 entries/, toText(lines.slice(0, -1))],
    [/incomplete/, toText(lines).slice(0, -1)],
    [/incomplete.*after 99 entries/, toText(lines.slice(0, 100)) + '{"key":["cut'],
    [/checksum/, toText(changed)],
    [/checksum/, toText(lines.toSpliced(20, 1))],
    [/checksum/, toText(toLines({ ...HEADER, schema_version: 9 }).with(0, lines[0] ?? ""))],
    [/lines follow/, toText([...lines, lines[1] ?? ""])],
    [/damaged in line 5/, toText(lines.with(4, '{"key":[]'))],
    [/damaged in line 5/, toText(lines.with(4, '{"key":["a"],"value":{"$new":1}}'))],
    [/not an export/, ""],
    [/not an export/, "SQLite format 3\0\n"],
    [/version 2 of the format/, toText(toLines({ ...HEADER, version: 2 }))],
  ];
  for (const [message, text] of refused) await assert.rejects(readAll(text), message);
});

Deno.test("servers refuse a store until its import is complete, and one that was opened is not imported into", async () => {
  using store = await openStore(":memory:");
  const writer = await importUpTo(store, Infinity);
  await assert.rejects(migrate(store, []), /import into the store :memory: is incomplete/);
  assert.equal(await (await createExpectation()).findProblem(store.kv), null);
  await writer.end();
  await migrate(store, []);
  await assert.rejects(ImportWriter.begin(store, ID), /not empty/);
});

Deno.test("an interrupted import continues, and only with the same export and one process", async () => {
  using store = await openStore(":memory:");
  const interrupted = await importUpTo(store, 2000);
  const other = crypto.randomUUID();
  await assert.rejects(ImportWriter.begin(store, other), /incomplete import of another export/);
  const second = await importUpTo(store, Infinity);
  assert.ok(second.continued > 0 && second.continued < 2000, String(second.continued));
  assert.equal(await (await createExpectation()).findProblem(store.kv), null);
  await assert.rejects(interrupted.flush(), /Another process imports/);
  await second.end();
  assert.equal((await store.kv.get([...IMPORT_MARK])).value, null);
});

Deno.test("the verification finds entries that are missing, added or different", async () => {
  const changes: readonly (readonly [RegExp, (writer: BulkWriter) => Promise<void>])[] = [
    [/lasting entries/, (writer) => writer.delete(["entry", 1])],
    [/1 entries that have not expired/, (writer) => writer.delete(["entry", 7])],
    [/lasting entries/, (writer) => writer.set(["other"], 1)],
    [/checksum/, (writer) => writer.set(["entry", 3], { at: 4, name: "ééé" })],
    [/lasting entries/, (writer) => writer.set(["entry", 14], null)],
  ];
  for (const [problem, change] of changes) {
    using store = await openStore(":memory:");
    await importUpTo(store, Infinity);
    const writer = new BulkWriter(store.kv);
    await change(writer);
    await writer.flush();
    assert.match(String(await (await createExpectation()).findProblem(store.kv)), problem);
  }
});

Deno.test("a commit whose answer is lost is not made twice, and the import goes on", async () => {
  using store = await openStore(":memory:");
  const newAtomic = store.kv.atomic.bind(store.kv);
  let commits = 0;
  const atomic = () => {
    const operation = newAtomic();
    const commit = operation.commit.bind(operation);
    return Object.assign(operation, {
      async commit() {
        const result = await commit();
        if (++commits % 3 === 0) throw new Error("The store did not answer.");
        return result;
      },
    });
  };
  Object.assign(store.kv, { atomic });
  // The first commit begins the import.
  const writer = await importUpTo(store, Infinity);
  await writer.end();
  assert.ok(commits > 3, String(commits));
  assert.equal(await (await createExpectation()).findProblem(store.kv), null);
});
