import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { type Cluster, clusterTest } from "@/tests/helpers/cluster.ts";
import { findFaketime, shiftClock } from "@/tests/helpers/faketime.ts";
import { reportMissing } from "@/tests/helpers/report_missing.ts";
import { exportOnce, mailInvitations, requireOnce, sendScheduled } from "./background_scenarios.ts";
import { deliverEvents, PASSWORD, shareState, useSession } from "./chat_scenarios.ts";
import { call, createGarden, type Garden, tryCall } from "./load.ts";

/** Seconds by which the clocks of the servers differ from the machine's. */
const SHIFTS = [0, 300, -300];
/** Seconds by which times of two servers may differ. */
const TOLERANCE = 5;
/** Requests of the address that a limit allows for a minute. */
const POINTS = 12;
const JWT_KEY = "a secret of the tests, long enough for HS256";
const MINUTE = 60;

const library = await findFaketime();
const ENV = {
  RATE_LIMITS: JSON.stringify({ resolve: { points: POINTS, seconds: 600 } }),
  JWT_AUTH_KEYS: JSON.stringify({ "": { key: JWT_KEY, algorithms: ["HS256"] } }),
};

/** Returns the time of each server in seconds. */
async function readTimes(cluster: Cluster, { people: [owner] }: Garden): Promise<number[]> {
  const times: number[] = [];
  for (const { url } of cluster.servers) {
    times.push(
      (await call(url, owner, ["POST", "users/me/presence", { status: "active" }])).server_timestamp,
    );
  }
  return times;
}

/** Returns the time of the machine in seconds, to the second. */
async function readMachineTime({ store }: Cluster): Promise<number> {
  const answer = await fetch(store.url);
  await answer.body?.cancel();
  return Date.parse(answer.headers.get("date") ?? "") / 1000;
}

async function agreeOnTime(cluster: Cluster, garden: Garden): Promise<void> {
  const times = await readTimes(cluster, garden);
  const now = await readMachineTime(cluster);
  for (const time of times) assert.ok(Math.abs(time - now) < TOLERANCE, `${times} at ${now}`);
}

/** Links that expire by the time of one server; none may expire at another before or after it. */
async function expireInvitations(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  for (const { url } of cluster.servers) {
    const { invite_link } = await call(url, owner, ["POST", "invites/multiuse", {
      ...{ stream_ids: [], invite_expires_in_minutes: 2 },
    }]);
    const { pathname } = new URL(invite_link);
    for (const server of cluster.servers) {
      const page = await server.fetch(pathname);
      await page.body?.cancel();
      assert.equal(page.status, 200, `${server.errors}`);
    }
  }
}

async function shareLimits(cluster: Cluster): Promise<void> {
  const created = await fetch(cluster.url, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  const path = `/${encodeURIComponent((await created.json()).short)}`;
  const statuses: number[] = [];
  for (let at = 0; at < POINTS + SHIFTS.length; at++) {
    const answer = await fetch(cluster.url + path, { redirect: "manual" });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  assert.equal(statuses.filter((status) => status === 429).length, SHIFTS.length, String(statuses));
}

/** Tokens are accepted and refused by the time of the issuer, whatever the clock of the server. */
async function acceptTokens(cluster: Cluster): Promise<void> {
  const now = await readMachineTime(cluster);
  const sign = (issued: number, expires: number) =>
    new SignJWT({ email: "owner@example.com", email_verified: true }).setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(issued).setExpirationTime(expires).sign(new TextEncoder().encode(JWT_KEY));
  const [valid, expired] = [await sign(now, now + 2 * MINUTE), await sign(now - 3 * MINUTE, now - MINUTE)];
  for (const { url } of cluster.servers) {
    const send = (token: string) => tryCall(url, undefined, ["POST", "jwt/fetch_api_key", { token }]);
    assert.deepEqual([(await send(valid))?.status, (await send(expired))?.status], [200, 400]);
  }
}

async function workOnce(cluster: Cluster, garden: Garden): Promise<void> {
  await Promise.all([
    mailInvitations(cluster, garden),
    sendScheduled(cluster, garden),
    exportOnce(cluster, garden),
  ]);
  await requireOnce(cluster, garden);
}

const envOf = (earlier: number) =>
  library === null ? {} : shiftClock(library, SHIFTS[earlier % SHIFTS.length] ?? 0);

clusterTest("servers whose clocks differ by ten minutes act as one server", async (cluster, context) => {
  if (library === null) return reportMissing("faketime", "apt-get install faketime");
  const garden = await createGarden(cluster, PASSWORD);
  const step = (title: string, run: (cluster: Cluster, garden: Garden) => Promise<void>) =>
    context.step(title, () => run(cluster, garden));
  await step("the times of their answers agree", agreeOnTime);
  await step("queues of every server receive all messages once and in one order", deliverEvents);
  await step("presence and flags are shared", shareState);
  await step("a session is valid on every server until it ends on one", useSession);
  await step("an invitation is valid on every server", expireInvitations);
  await step("signed tokens are accepted by their times on every server", acceptTokens);
  await step("rate limits count for one period", shareLimits);
  await step("background work is done once", workOnce);
  await step("a killed server's work is continued", async () => {
    const [, ahead] = cluster.servers;
    assert.ok(ahead !== undefined);
    await cluster.killServer(ahead);
    await sendScheduled(cluster, garden);
  });
  assert.equal((await cluster.admin("check")).ok, true);
}, { env: ENV, envOf });
