import { strict as assert } from "node:assert";
import { StoreError } from "@/lib/store/open.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { emptyLog, limitFileSize } from "../helpers/full_disk.ts";
import { TestServer } from "../helpers/server.ts";
import { createTestFolder } from "../helpers/store.ts";
import { Ledger, readSeed, seededRandom } from "./traffic.ts";

const DISK = limitFileSize(1024 * 1024);
/** Writes of each kind, one after the other, that are refused before the disk counts as full. */
const REFUSALS = 6;
/** Requests after which a disk that is not full counts as one that never fills up. */
const MOST_WRITES = 20_000;
const LINKS = 3000;

Deno.test("on a full disk, writes return 503, reads work and acknowledged changes are kept", async () => {
  await using folder = await createTestFolder();
  const ledger = new Ledger();
  {
    await using server = await TestServer.start({ folder: folder.path, shell: DISK });
    const short = await fill(server, ledger);
    await requireFull(server, ledger, short);

    // Moving the log into the main file, which this process may do, gives the server room again.
    await emptyLog(server.store);
    await requireUsable(server, ledger);
    await fill(server, ledger);
    assert.equal(await server.stop(), 0);
  }
  await using server = await TestServer.start({ folder: folder.path });
  await ledger.verify(server.url, "all");
  await requireUsable(server, ledger);
  assert.equal(await server.stop(), 0);
  using kv = await Deno.openKv(server.store);
  assert.deepEqual((await checkLinks(kv)).problems, []);
});

Deno.test("kill -9 on a full disk loses no acknowledged change", async () => {
  await using folder = await createTestFolder();
  const ledger = new Ledger();
  {
    await using server = await TestServer.start({ folder: folder.path, shell: DISK });
    await fill(server, ledger);
  }
  await using server = await TestServer.start({ folder: folder.path });
  await ledger.verify(server.url, "all");
  await requireUsable(server, ledger);
});

type Damage = (bytes: Uint8Array, random: () => number) => Uint8Array;

const DAMAGES: readonly [title: string, damage: Damage][] = [
  ["whose header is overwritten", (bytes, random) => overwrite(bytes, { from: 0, to: 100, random })],
  ["with a page of random bytes in the middle", (bytes, random) => {
    const from = Math.floor(bytes.length / 4096 / 2) * 4096;
    return overwrite(bytes, { from, to: from + 4096, random });
  }],
  ["that ends in the middle of a page", (bytes) => bytes.slice(0, Math.floor(bytes.length / 2) + 1000)],
  ["that ends after its header", (bytes) => bytes.slice(0, 100)],
  [
    "that lost its last half, page by page",
    (bytes) => bytes.slice(0, Math.floor(bytes.length / 8192) * 4096),
  ],
  ["that is a text", () => new TextEncoder().encode("This is no store.\n".repeat(500))],
  ["that is shorter than a header", () => new TextEncoder().encode("SQL")],
];

/** Starts a server on a store that it must refuse. */
function startServer(path: string): Promise<Refused> {
  return TestServer.runToEnd({ env: { KV_URL: path } });
}

/** Opens a store that must be refused, as a server does when it starts. */
async function openStore(path: string): Promise<Refused> {
  try {
    using _store = await openSottoStore(path);
    return { code: 0, errors: "" };
  } catch (error) {
    assert.ok(error instanceof StoreError, String(error));
    return { code: 1, errors: error.message };
  }
}

/** Exit status and messages of a start that ended. */
interface Refused {
  readonly code: number;
  readonly errors: string;
}

Deno.test("a damaged store is refused at startup with its path and left unchanged", async (t) => {
  const seed = readSeed();
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  await seedLinks(path);
  const sound = await Deno.readFile(path);
  for (const [at, [title, damage]] of DAMAGES.entries()) {
    // Every server opens its store by the same call, so one process is enough.
    const start = at === 0 ? startServer : openStore;
    await t.step(`a store ${title} (TEST_SEED=${seed})`, async () => {
      const damaged = damage(sound, seededRandom(seed));
      await Deno.writeFile(path, damaged);
      const { code, errors } = await start(path);
      assert.notEqual(code, 0);
      assert.ok(errors.includes(path), errors);
      assert.ok(errors.includes("task -q admin restore"), errors);
      assert.deepEqual(await Deno.readFile(path), damaged);
    });
  }
  await t.step("the undamaged store is served", async () => {
    await Deno.writeFile(path, sound);
    await using server = await TestServer.start({ folder: folder.path });
    assert.deepEqual(await (await server.fetch("/stats")).json(), { urls: 0, visits: 0 });
  });
});

Deno.test("an empty file is a new store", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  await Deno.writeFile(path, new Uint8Array(0));
  {
    using store = await openSottoStore(path);
    await store.kv.set(["written"], true);
  }
  using store = await openSottoStore(path);
  assert.equal((await store.kv.get(["written"])).value, true);
});

Deno.test("a store of a newer version is refused and left unchanged", async () => {
  await using folder = await createTestFolder();
  const path = `${folder.path}/sotto.kv`;
  {
    using kv = await Deno.openKv(path);
    await kv.set(["schema_version"], 99);
  }
  const { code, errors } = await openStore(path);
  assert.notEqual(code, 0);
  assert.match(errors, /newer/);
  assert.ok(errors.includes(path), errors);
  using kv = await Deno.openKv(path);
  assert.equal((await kv.get(["schema_version"])).value, 99);
});

Deno.test("a store that cannot be opened is refused with its path", async () => {
  await using folder = await createTestFolder();
  const { code, errors } = await TestServer.runToEnd({ folder: folder.path, env: { KV_URL: folder.path } });
  assert.notEqual(code, 0);
  assert.ok(errors.includes(folder.path), errors);
  assert.match(errors, /^[^\n]+\n$/);
});

/** Shortens and visits until the store takes not even the smallest write; returns a short that is stored. */
async function fill(server: TestServer, ledger: Ledger): Promise<string> {
  const short = await ledger.shorten(server.url);
  assert.ok(short);
  const writeAlone = async () => {
    await ledger.shorten(server.url);
    await ledger.visit(server.url, short);
  };
  const writeTogether = async () => {
    await Promise.all([1, 2, 3, 4].map(writeAlone));
  };
  // Where several writes at once no longer fit, one alone may.
  for (let written = 0; ledger.surprises.length === 0; written += 8) {
    assert.ok(written < MOST_WRITES, "The disk never fills up");
    await writeTogether();
  }
  for (let refused = 0, written = 0; refused < REFUSALS; written += 2) {
    assert.ok(written < MOST_WRITES, "The disk never fills up");
    const before = ledger.surprises.length;
    await writeAlone();
    refused = ledger.surprises.length === before + 2 ? refused + 1 : 0;
  }
  for (const surprise of ledger.surprises) assert.match(surprise, /^\w+: 503 /);
  ledger.surprises.length = 0;
  return short;
}

async function requireFull(server: TestServer, ledger: Ledger, short: string): Promise<void> {
  const path = `/${encodeURIComponent(short)}`;
  const headers = { "content-type": "application/json" };
  const shorten = { method: "POST", body: '{"url":"https://example.com/"}', headers };
  for (const response of [await server.fetch("/", shorten), await server.fetch("/", shorten)]) {
    assert.equal(response.status, 503);
    assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
    const body: Record<string, unknown> = await response.json();
    assert.deepEqual(Object.keys(body), ["statusCode", "error", "message"]);
    assert.equal(body["statusCode"], 503);
  }
  assert.equal(await ledger.visit(server.url, short), false);
  assert.match(ledger.surprises.pop() ?? "", /^resolve: 503 \{"statusCode":503,/);
  const target = await server.fetch(`${path}?visit=false`);
  assert.deepEqual([target.status, await target.json()], [200, { url: ledger.links.get(short) }]);
  assert.equal((await server.fetch(`${path}/stats`)).status, 200);
  assert.equal((await server.fetch("/stats")).status, 200);
  await server.waitFor(
    "/health answers 200",
    () => readStatus(server, "/health"),
    (status) => status === 200,
  );
  await requireUnready(server);
  await ledger.verify(server.url, "all");
}

/** Requires that `/ready` refuses while writes are refused. */
async function requireUnready(server: TestServer): Promise<void> {
  const ready = await server.fetch("/ready");
  assert.equal(ready.status, 503, await ready.text());
  assert.match(ready.headers.get("retry-after") ?? "", /^\d+$/);
}

async function requireUsable(server: TestServer, ledger: Ledger): Promise<void> {
  await server.waitFor("/ready answers 200", () => readStatus(server, "/ready"), (status) => status === 200);
  const short = await ledger.shorten(server.url);
  assert.ok(short !== null && await ledger.visit(server.url, short));
  await ledger.verify(server.url, "touched");
}

async function readStatus(server: TestServer, path: string): Promise<number> {
  const response = await server.fetch(path);
  await response.body?.cancel();
  return response.status;
}

/** Writes a store of some hundred pages. */
async function seedLinks(path: string): Promise<void> {
  (await openSottoStore(path))[Symbol.dispose]();
  using kv = await Deno.openKv(path);
  for (let from = 0; from < LINKS; from += 500) {
    const atomic = kv.atomic();
    for (let at = from; at < from + 500; at++) {
      atomic.set(["link", `${at}`], { url: `https://example.com/${at}` });
    }
    await atomic.commit();
  }
}

function overwrite(
  bytes: Uint8Array,
  { from, to, random }: { from: number; to: number; random: () => number },
) {
  const copy = bytes.slice();
  for (let at = from; at < to; at++) copy[at] = Math.floor(random() * 256);
  return copy;
}
