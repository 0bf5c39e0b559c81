import assert from "node:assert/strict";
import { type Cluster, clusterTest } from "@/tests/helpers/cluster.ts";
import { createPoller } from "./poller.ts";
import { readSeed, seededRandom } from "@/tests/process/traffic.ts";
import { endure, goOn } from "./endure.ts";
import { call, createGarden, type Garden, MixedLoad } from "./load.ts";

/** Seconds until a scheduled message is due. */
const DELAY = 2;
/** Milliseconds within which a request is answered while the store is away. */
const ANSWER_MS = 2000;

clusterTest(
  "a server killed under load and one started under load lose and repeat nothing",
  async (cluster) => {
    await endure(cluster, async (load) => {
      const [first] = cluster.servers;
      assert.ok(first !== undefined);
      await cluster.killServer(first);
      await goOn(load);
      await cluster.addServer();
    });
  },
);

clusterTest(
  "a store killed under load loses and repeats nothing, and servers go on when it is back",
  async (cluster) => {
    await endure(cluster, async (load) => {
      for (let round = 0; round < 3; round++) {
        await cluster.store.kill();
        await cluster.store.restart();
        await goOn(load);
      }
    });
  },
);

/** A request that is answered 503 while the store is away: by the shortener, the chat API, a page or a probe. */
const requests = ({ people: [owner] }: Garden): readonly [path: string, init?: RequestInit][] => {
  const headers = { authorization: owner?.authorization ?? "" };
  const message = new URLSearchParams({ type: "channel", to: "1", topic: "plans", content: "Hello" });
  const link = { method: "POST", headers: { "content-type": "application/json" } };
  return [
    ["/health"],
    ["/ready"],
    ["/stats"],
    ["/", { ...link, body: JSON.stringify({ url: "https://example.com/" }) }],
    ["/api/v1/users/me", { headers }],
    ["/api/v1/messages", { method: "POST", headers, body: message }],
  ];
};

/** Sends all requests to all servers, each of which must refuse them in time. */
async function requireRefusals(cluster: Cluster, garden: Garden): Promise<void> {
  for (const [path, init = {}] of requests(garden)) {
    await Promise.all(cluster.servers.map(async (server) => {
      const response = await server.fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
      const body = await response.json();
      assert.equal(response.status, 503, `${path}: ${JSON.stringify(body)}`);
      assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/, path);
      const expected = path.startsWith("/api/") ? body.code === "UNAVAILABLE" : body.statusCode === 503;
      assert.ok(expected, `${path}: ${JSON.stringify(body)}`);
    }));
  }
}

/** Returns the servers' time as an HTTP date. */
async function readDate(cluster: Cluster): Promise<string> {
  const [server] = cluster.servers;
  const response = await server?.fetch("/health");
  await response?.body?.cancel();
  return response?.headers.get("date") ?? "";
}

/** Waits until all servers are ready again. */
async function becomeReady(cluster: Cluster): Promise<void> {
  for (const server of cluster.servers) {
    await server.waitFor("the server is ready", async () => {
      const response = await server.fetch("/ready");
      await response.body?.cancel();
      return response.ok;
    });
  }
}

clusterTest(
  "background work and a new server go on when a store returns that was away for long",
  async (cluster) => {
    const { people: [owner], channelId } = await createGarden(cluster);
    const poller = await createPoller(cluster.url, owner);
    const due = Math.floor(Date.parse(await readDate(cluster)) / 1000) + DELAY;
    const message = { type: "channel", to: channelId, topic: "later", content: "Hello" };
    const params = { ...message, scheduled_delivery_timestamp: due };
    await call(cluster.url, owner, ["POST", "scheduled_messages", params]);
    await cluster.store.kill();
    const added = cluster.addServer();
    const present = [...cluster.servers];
    for (const server of present) {
      await server.waitFor("a worker fails", () => server.output.includes("scheduled message not sent"));
    }
    await cluster.store.restart();
    await added;
    await becomeReady(cluster);
    const [sent] = await poller.receiveMessages(1);
    for (const { url } of cluster.servers) {
      const { messages } = await call(url, owner, ["GET", "messages", {
        ...{ anchor: "newest", num_before: 10, num_after: 0, narrow: [["topic", "later"]] },
      }]);
      assert.deepEqual(messages.map(({ id }: { id: number }) => id), [sent]);
    }
  },
);

clusterTest(
  "while the store is away or hangs, every answer is 503 within two seconds; then all goes on",
  async (cluster) => {
    const garden = await createGarden(cluster);
    await cluster.store.kill();
    await requireRefusals(cluster, garden);
    await cluster.store.restart();
    await becomeReady(cluster);
    cluster.store.pause();
    try {
      await requireRefusals(cluster, garden);
    } finally {
      cluster.store.resume();
    }
    await becomeReady(cluster);
    const load = new MixedLoad(cluster, garden, seededRandom(readSeed()));
    await load.during(() => goOn(load));
    await load.verify();
  },
);
