import { strict as assert } from "node:assert";
import { linkKeys, type LinkRecord } from "@/lib/links/store.ts";
import { PAGE_VISITS } from "@/lib/links/visit_pages.ts";
import { RawConnection } from "../helpers/raw_http.ts";
import { TestServer } from "../helpers/server.ts";
import { Ledger, readSeed, runClient, seededRandom } from "./traffic.ts";

const CLIENTS = 16;
const BODY = JSON.stringify({ url: "https://example.com/slow" });

Deno.test("SIGTERM under load ends with status 0, and the next server has everything acknowledged", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const ledger = new Ledger();
  const folder = await Deno.makeTempDir();
  try {
    for (let round = 0; round < 3; round++) {
      await using server = await TestServer.start({ folder });
      await ledger.verify(server.url, "touched");
      const clients = Array.from(
        { length: CLIENTS },
        () => runClient(ledger, [server.url], random, () => false),
      );
      await new Promise((resolve) => setTimeout(resolve, 150 + random() * 200));
      assert.equal(await server.stop(), 0);
      await Promise.all(clients);
      assert.equal(server.errors, "");
      for (const surprise of ledger.surprises) assert.match(surprise, /^\w+: 503 .*stopping/);
      ledger.surprises.length = 0;
    }
    await using server = await TestServer.start({ folder });
    await ledger.verify(server.url, "all");
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("SIGTERM lets an answer that is being sent finish, and turns new requests away meanwhile", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const count = 500_000;
    await seedVisits(`${folder}/sotto.kv`, "a", count);
    await using server = await TestServer.start({ folder });
    const response = await server.fetch("/a/stats");
    const stopped = server.stop();
    await untilTurnedAway(server);
    const stats: { visits: string[] } = await response.json();
    assert.equal(stats.visits.length, count);
    assert.equal(await stopped, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("SIGTERM while a body still comes: it is taken, or the client is told to come again", async () => {
  await using server = await TestServer.start();
  using slow = await RawConnection.open(server);
  await slow.send(postHead(server));
  await untilInFlight(server, 2);
  const stopped = server.stop();
  await untilTurnedAway(server);
  await slow.send(BODY);
  const { status, headers } = await slow.readAnswer();
  assert.ok(status === 201 || (status === 503 && headers.has("retry-after")), `answered ${status}`);
  assert.equal(await stopped, 0);
});

Deno.test("SIGTERM does not wait longer than its ten seconds for a body that never comes", async () => {
  await using server = await TestServer.start();
  using slow = await RawConnection.open(server);
  await slow.send(postHead(server));
  await untilInFlight(server, 2);
  const started = Date.now();
  assert.equal(await server.stop(15_000), 0);
  assert.ok(Date.now() - started < 13_000);
});

Deno.test("a second SIGTERM does not wait for what is in flight", async () => {
  await using server = await TestServer.start();
  using slow = await RawConnection.open(server);
  await slow.send(postHead(server));
  await untilInFlight(server, 2);
  const first = server.stop();
  await untilTurnedAway(server);
  assert.equal(await server.stop(5000), 1);
  assert.equal(await first, 1);
});

function postHead({ port }: TestServer): string {
  return `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${BODY.length}\r\n\r\n`;
}

/** Waits until the server works on so many requests; asking is one of them. */
async function untilInFlight(server: TestServer, count: number): Promise<void> {
  for (;;) {
    const text = await (await server.fetch("/metrics")).text();
    const inFlight = /^sotto_requests_in_flight (\d+)/m.exec(text)?.[1];
    if (Number(inFlight) >= count) return;
  }
}

/** Waits until a new request is answered 503, or its connection is refused. */
async function untilTurnedAway(server: TestServer): Promise<void> {
  for (;;) {
    const response = await server.fetch("/stats").catch(() => null);
    await response?.body?.cancel();
    if (response === null || response.status === 503) return;
  }
}

/** Writes a link and its visits, a millisecond apart, straight into a store that no server has open. */
async function seedVisits(path: string, short: string, count: number): Promise<void> {
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
    .sum(linkKeys.linkCount, 1n).sum(linkKeys.visitCount, BigInt(count))
    .sum(linkKeys.visitCountOf(short), BigInt(count)).commit();
}
