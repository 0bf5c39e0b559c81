import { strict as assert } from "node:assert";
import { linkKeys, type LinkRecord } from "@/lib/links/store.ts";
import { PAGE_VISITS } from "@/lib/links/visit_pages.ts";
import { RawConnection } from "../helpers/raw_http.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { VERSION_KEY } from "@/lib/store/migrate.ts";
import { TestServer } from "../helpers/server.ts";
import { settled } from "../helpers/wait.ts";
import { createTestFolder } from "../helpers/store.ts";
import { endUnderLoad, Ledger, readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(1);
const CLIENTS = 16;
/** Acknowledged operations after which a server is stopped, at most. */
const MOST_OPERATIONS = 300;
/** Visits whose list is far longer than what the system buffers of a connection. */
const VISITS = 500_000;
const BODY = JSON.stringify({ url: "https://example.com/slow" });

Deno.test("a server stops by itself when a newer version has migrated its store", async () => {
  await using server = await TestServer.start();
  const short = await server.fetch("/", {
    method: "POST",
    body: BODY,
    headers: { "content-type": "application/json" },
  });
  assert.equal(short.status, 201);
  using kv = await Deno.openKv(server.store);
  await kv.set(VERSION_KEY, 1000);
  const { code } = await settled("the server ends by itself", server.ended, { explain: () => server.errors });
  assert.equal(code, 1);
  assert.match(server.errors, /A newer version of Sotto has migrated the store .*schema version 1000/);
});

/** The first steps run while a server waits for a body, which takes ten seconds. */
Deno.test("a server that receives SIGTERM", async (t) => {
  await using waiting = await TestServer.start();
  using late = await RawConnection.open(waiting);
  await late.send(postHead(waiting));
  await untilBodyExpected(waiting);
  const stopped = waiting.stop();
  await t.step(
    "SIGTERM under load exits with status 0, and the next server has every acknowledged change",
    async () => {
      const seed = readSeed();
      const random = seededRandom(seed);
      const ledger = new Ledger();
      await using folder = await createTestFolder();
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await using server = await TestServer.start({ folder: folder.path });
          await ledger.verify(server.url, "touched");
          const operations = 1 + Math.floor(random() * MOST_OPERATIONS);
          await endUnderLoad(server, { ledger, random, clients: CLIENTS, operations }, async () => {
            assert.equal(await server.stop(), 0);
          });
          assert.equal(server.errors, "");
          for (const surprise of ledger.surprises) assert.match(surprise, /^\w+: 503 .*stopping/);
          ledger.surprises.length = 0;
        }
        await using server = await TestServer.start({ folder: folder.path });
        await ledger.verify(server.url, "all");
      } catch (error) {
        throw new Error(`With TEST_SEED=${seed}`, { cause: error });
      }
    },
  );
  await t.step("SIGTERM lets a response in flight finish and refuses new requests", async () => {
    await using folder = await createTestFolder();
    await seedVisits(`${folder.path}/sotto.kv`, "a", VISITS);
    await using server = await TestServer.start({ folder: folder.path });
    const response = await server.fetch("/a/stats");
    const stopped = server.stop();
    await untilTurnedAway(server);
    const stats: { visits: string[] } = await response.json();
    assert.equal(stats.visits.length, VISITS);
    assert.equal(await stopped, 0);
  });
  await t.step("SIGTERM during an upload either accepts the body or asks the client to retry", async () => {
    await using server = await TestServer.start();
    using slow = await RawConnection.open(server);
    await slow.send(postHead(server));
    await untilBodyExpected(server);
    const stopped = server.stop();
    await untilTurnedAway(server);
    await slow.send(BODY);
    const { status, headers } = await slow.readAnswer();
    assert.ok(status === 201 || (status === 503 && headers.has("retry-after")), `answered ${status}`);
    assert.equal(await stopped, 0);
  });
  await t.step("a second SIGTERM does not wait for requests in flight", async () => {
    await using server = await TestServer.start();
    using slow = await RawConnection.open(server);
    await slow.send(postHead(server));
    await untilBodyExpected(server);
    const first = server.stop();
    await untilTurnedAway(server);
    assert.equal(await server.stop(), 1);
    assert.equal(await first, 1);
  });
  await t.step(
    "Ctrl-C, which sends SIGINT twice, lets a request finish and writes the whole log",
    async () => {
      await using server = await TestServer.start();
      const visits = await Promise.all(
        Array.from({ length: 50 }, () => server.fetch("/missing").then((response) => response.text())),
      );
      using slow = await RawConnection.open(server);
      await slow.send(postHead(server));
      await untilBodyExpected(server);
      Deno.kill(server.pid, "SIGINT");
      await untilTurnedAway(server);
      Deno.kill(server.pid, "SIGINT");
      await slow.send(BODY);
      const { status, headers } = await slow.readAnswer();
      assert.ok(status === 201 || status === 503, `answered ${status}`);
      assert.equal((await server.ended).code, 0);
      assert.equal(server.errors, "");
      assert.equal(server.output.match(/"status":404/g)?.length, visits.length);
      assert.match(server.output, new RegExp(`"id":"${headers.get("x-request-id")}"`));
    },
  );
  await t.step("a second SIGTERM loses no acknowledged change and no line of the log", async () => {
    await using server = await TestServer.start();
    using slow = await RawConnection.open(server);
    await slow.send(postHead(server));
    await untilBodyExpected(server);
    const created = await server.fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/kept" }),
    });
    const first = server.stop();
    await untilTurnedAway(server);
    const second = server.stop();
    assert.deepEqual([created.status, await second, await first], [201, 1, 1]);
    assert.equal(server.errors, "");
    await untilLogged(server, created.headers);
  });
  await t.step("SIGTERM waits at most ten seconds for a body that never arrives", async () => {
    assert.equal(await stopped, 0);
    const { status } = await late.readAnswer();
    assert.ok(status === 0 || status === 503, `answered ${status}`);
  });
});

function postHead({ port }: TestServer): string {
  return `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${BODY.length}\r\n\r\n`;
}

/** Waits until the server works on a request whose body is missing; reading the number is another one. */
async function untilBodyExpected(server: TestServer): Promise<void> {
  const read = () => server.metric("sotto_requests_in_flight");
  await server.waitFor("the server waits for the body", read, (count) => count >= 2);
}

/** Waits until a new request is answered 503, or its connection is refused. */
async function untilTurnedAway(server: TestServer): Promise<void> {
  await server.waitFor("new requests are turned away", async () => {
    const response = await server.fetch("/stats").catch(() => null);
    await response?.body?.cancel();
    return response === null || response.status === 503;
  });
}

/** Waits until the output of a server, which may have ended, was read up to the line of a response. */
async function untilLogged(server: TestServer, headers: Headers): Promise<void> {
  const id = headers.get("x-request-id");
  await server.waitFor("the log has the request", () => server.output.includes(`"id":"${id}"`));
}

/** Writes a link and its visits, a millisecond apart, straight into a store that no server has open. */
async function seedVisits(path: string, short: string, count: number): Promise<void> {
  (await openSottoStore(path))[Symbol.dispose]();
  using kv = await Deno.openKv(path);
  const start = Date.UTC(2026, 0, 1);
  for (let from = 0; from < count; from += PAGE_VISITS) {
    const times = Float64Array.from(
      { length: Math.min(PAGE_VISITS, count - from) },
      (_, at) => start + from + at,
    );
    await kv.set(linkKeys.visits(short, start + from, "seed"), times);
  }
  await kv.atomic().set(
    linkKeys.link(short),
    { url: "https://example.com/seeded", createdAt: start } satisfies LinkRecord,
  )
    .sum(linkKeys.linkCount, 1n).sum(linkKeys.visitCount(), BigInt(count))
    .sum(linkKeys.visitCount(short), BigInt(count)).commit();
}
