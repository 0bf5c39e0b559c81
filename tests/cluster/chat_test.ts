import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import { type Cluster, clusterTest } from "@/tests/helpers/cluster.ts";
import type { Sender } from "@/tests/process/messages_traffic.ts";
import { call, createGarden, type Garden, tryCall } from "./load.ts";
import { deliverEvents, PASSWORD, shareState, useSession } from "./chat_scenarios.ts";

/** Requests for one name, spread over all servers. */
const REQUESTS = 9;
const MIB = 1024 * 1024;

/** Creates records of one name at once; exactly one request must succeed. */
async function requireOneWinner(cluster: Cluster, owner: Sender | undefined, path: string): Promise<void> {
  const params = { name: "Roses", description: "", subscribers: [], members: [] };
  const requests = Array.from(
    { length: REQUESTS },
    () => tryCall(cluster.url, owner, ["POST", path, params]),
  );
  const statuses = (await Promise.all(requests)).map((reply) => reply?.status);
  const refusals = statuses.filter((status) => status === 400 || status === 409);
  assert.deepEqual([statuses.filter((status) => status === 200).length, refusals.length], [1, REQUESTS - 1]);
}

async function createEqualNames(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  for (const path of ["channels/create", "channel_folders/create", "user_groups/create"]) {
    await requireOneWinner(cluster, owner, path);
  }
  for (const { url } of cluster.servers) {
    const { streams } = await call(url, owner, ["GET", "streams"]);
    assert.equal(streams.filter(({ name }: { name: string }) => name === "Roses").length, 1);
  }
}

async function uploadAnywhere(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  const content = new Uint8Array(MIB).map((_, at) => at % 251);
  const form = new FormData();
  form.append("file", new File([content], "plan.bin"));
  const headers = { authorization: owner?.authorization ?? "" };
  const uploaded = await cluster.servers[0]?.fetch("/api/v1/user_uploads", {
    ...{ method: "POST", headers, body: form },
  });
  const { url } = await uploaded?.json();
  for (const server of cluster.servers) {
    const response = await server.fetch(`/api/v1${url}`, { headers });
    const { url: temporary } = await response.json();
    const file = await fetch(cluster.url + temporary);
    assert.deepEqual(await file.bytes(), content);
  }
}

/** Sends each part of a resumable upload to the next server. */
async function uploadInParts(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  const content = new Uint8Array(MIB).map((_, at) => at % 249);
  const headers = { authorization: owner?.authorization ?? "", "tus-resumable": "1.0.0" };
  const metadata = { "upload-length": String(MIB), "upload-metadata": `filename ${btoa("plan.bin")}` };
  const created = await fetch(`${cluster.url}/api/v1/tus`, {
    ...{ method: "POST", headers: { ...headers, ...metadata } },
  });
  await created.body?.cancel();
  assert.equal(created.status, 201);
  const { pathname } = new URL(created.headers.get("location") ?? "");
  const part = MIB / 4;
  for (let offset = 0; offset < MIB; offset += part) {
    const sent = await fetch(cluster.url + pathname, {
      method: "PATCH",
      headers: {
        ...headers,
        "upload-offset": String(offset),
        "content-type": "application/offset+octet-stream",
      },
      body: content.subarray(offset, offset + part),
    });
    await sent.body?.cancel();
    // The answer to the last part names the file.
    assert.equal(sent.ok, true);
    assert.equal(sent.headers.get("upload-offset"), String(offset + part));
  }
}

clusterTest("servers of one KV Connect store act as one server of the chat", async (cluster, context) => {
  const garden = await createGarden(cluster, PASSWORD);
  const step = (title: string, run: (cluster: Cluster, garden: Garden) => Promise<void>) =>
    context.step(title, () => run(cluster, garden));
  await step("one of several concurrent requests for a name succeeds", createEqualNames);
  await step("queues of every server receive all messages once and in one order", deliverEvents);
  await step("a file uploaded to one server is served by all", uploadAnywhere);
  await step("parts of an upload may reach different servers", uploadInParts);
  await step("presence and flags are shared", shareState);
  await step("a session is valid on every server until it ends on one", useSession);
  assert.equal((await cluster.admin("check")).ok, true);
});

/** Limits low enough to be reached. */
const LIMITS = { RATE_LIMITS: JSON.stringify({ api_user: { points: 10, seconds: 600 } }) };

clusterTest("servers of one KV Connect store share rate limits and sign-in limits", async (cluster) => {
  const { email, api_key } = await cluster.createGardeners({
    email: "owner@example.com",
    name: "Owner",
    password: PASSWORD,
  });
  const owner = { id: 1, authorization: basic(email, api_key) };
  const read = () => tryCall(cluster.url, owner, ["GET", "users/me"]);
  const statuses = (await Promise.all(Array.from({ length: 14 }, read))).map((reply) => reply?.status);
  assert.equal(statuses.filter((status) => status === 200).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 4);
  const signIn = async (password: string) =>
    (await tryCall(cluster.url, undefined, ["POST", "fetch_api_key", { username: email, password }]))?.status;
  for (let attempt = 0; attempt < 5; attempt++) assert.notEqual(await signIn("wrong password"), 429);
  for (const _ of cluster.servers) assert.equal(await signIn(PASSWORD), 429);
}, { env: LIMITS });
