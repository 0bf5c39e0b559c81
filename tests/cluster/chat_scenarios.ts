import assert from "node:assert/strict";
import type { Cluster } from "@/tests/helpers/cluster.ts";
import { call, type Garden } from "./load.ts";
import { createPoller } from "./poller.ts";

/** Messages of each person through each server. */
const MESSAGES = 5;
/** Password of the owner. */
export const PASSWORD = "violet kettle seldom 42";

/** Sends messages through every server; all queues must receive them once and in one order. */
export async function deliverEvents(cluster: Cluster, { people, channelId }: Garden): Promise<void> {
  const queues = cluster.servers.flatMap(({ url }) => people.map((person) => createPoller(url, person)));
  const pollers = await Promise.all(queues);
  const sending = cluster.servers.flatMap(({ url }) =>
    people.map(async (person) => {
      const ids: number[] = [];
      for (let at = 0; at < MESSAGES; at++) {
        const message = { type: "channel", to: channelId, topic: `topic ${at}`, content: `message ${at}` };
        ids.push((await call(url, person, ["POST", "messages", message])).id);
      }
      return ids;
    })
  );
  const perClient = await Promise.all(sending);
  for (const ids of perClient) assert.deepEqual(ids, [...ids].sort((one, other) => one - other));
  const sent = perClient.flat().sort((one, other) => one - other);
  assert.equal(new Set(sent).size, sent.length, "ids are unique");
  for (const poller of pollers) assert.deepEqual(await poller.receiveMessages(sent.length), sent);
  // Any server continues a queue, and returns nothing twice.
  for (const poller of pollers) assert.deepEqual(await poller.movedTo(cluster.url).receiveAll(), []);
}

/** Signs in at one server and opens a page of every other one with the session. */
export async function useSession(cluster: Cluster): Promise<void> {
  const [first] = cluster.servers;
  const body = new URLSearchParams({ username: "owner@example.com", password: PASSWORD });
  const headers = { "sec-fetch-site": "same-origin" };
  const signedIn = await first?.fetch("/login", { method: "POST", headers, body });
  await signedIn?.body?.cancel();
  assert.equal(signedIn?.status, 303);
  const cookie = signedIn?.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ") ?? "";
  const open = async (status: number) => {
    for (const server of cluster.servers) {
      const page = await server.fetch("/account", { headers: { cookie } });
      await page.body?.cancel();
      assert.equal(page.status, status);
    }
  };
  await open(200);
  const signedOut = await cluster.servers[1]?.fetch("/logout", {
    method: "POST",
    headers: { cookie, ...headers },
  });
  await signedOut?.body?.cancel();
  await open(303);
}

/** Changes presence and flags at one server and reads them at another. */
export async function shareState(
  cluster: Cluster,
  { people: [owner, ada], channelId }: Garden,
): Promise<void> {
  const [one, other] = cluster.servers.map(({ url }) => url);
  assert.ok(one !== undefined && other !== undefined);
  await call(one, ada, ["POST", "users/me/presence", { status: "active" }]);
  const { presence } = await call(other, owner, ["GET", `users/${ada?.id}/presence`]);
  assert.equal(presence.aggregated.status, "active");
  const message = { type: "channel", to: channelId, topic: "flags", content: "Read me" };
  const { id } = await call(one, owner, ["POST", "messages", message]);
  await call(other, ada, ["POST", "messages/flags", { messages: [id], op: "add", flag: "read" }]);
  const { message: found } = await call(one, ada, ["GET", `messages/${id}`]);
  assert.ok(found.flags.includes("read"));
}
