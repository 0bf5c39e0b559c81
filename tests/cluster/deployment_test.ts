import assert from "node:assert/strict";
import { drawHalves } from "@/tests/casts/images_cast.ts";
import { type Cluster, clusterTest } from "@/tests/helpers/cluster.ts";
import { exportOnce, mailInvitations, requireOnce, sendScheduled } from "./background_scenarios.ts";
import { endure, goOn } from "./endure.ts";
import { createGarden, type Garden } from "./load.ts";

/** Permissions on a platform that denies files, programs and the system, and that has schedules. */
const FLAGS = [
  ...["--no-prompt", "--frozen", "--node-modules-dir=manual", "--allow-net", "--allow-env", "--allow-read"],
  ...["--deny-write", "--deny-run", "--deny-sys", "--deny-ffi", "--unstable-cron"],
];
const ISOLATES = { servers: 2, flags: FLAGS, env: { DENO_DEPLOYMENT_ID: "tests" } };

/** Size of a picture that is shown as a thumbnail, in pixels. */
const SIZE = 1800;

async function storeFiles(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  const [one, other] = cluster.servers;
  const body = new FormData();
  body.append("file", new File([await drawHalves(SIZE)], "halves.png", { type: "image/png" }));
  const headers = { authorization: owner?.authorization ?? "" };
  const uploaded = await one?.fetch("/api/v1/user_uploads", { method: "POST", headers, body });
  const { url } = await uploaded?.json();
  for (const path of [url, `${url.replace("/user_uploads/", "/user_uploads/thumbnail/")}/840x560.webp`]) {
    const file = await other?.fetch(path, { headers });
    assert.equal(file?.status, 200, path);
    assert.ok((await file.bytes()).length > 0, path);
  }
}

/** Fails where a server tried something that the platform denies. */
function requireNothingDenied({ servers }: Cluster): void {
  for (const { output, errors } of servers) {
    assert.doesNotMatch(output + errors, /NotCapable/);
  }
}

clusterTest("two isolates on one store need neither files nor programs", async (cluster, context) => {
  const garden = await createGarden(cluster);
  await context.step("files and thumbnails are kept in the store", () => storeFiles(cluster, garden));
  await context.step("background work is done once, and mail is sent by SMTP", async () => {
    await Promise.all([
      mailInvitations(cluster, garden),
      sendScheduled(cluster, garden),
      exportOnce(cluster, garden),
    ]);
    await requireOnce(cluster, garden);
  });
  await context.step("pages and probes are answered", async () => {
    for (const path of ["/login", "/docs", "/openapi.json", "/metrics", "/health", "/ready", "/stats"]) {
      const answer = await cluster.servers[0]?.fetch(path);
      await answer?.body?.cancel();
      assert.equal(answer?.status, 200, path);
    }
  });
  await context.step("nothing that the platform denies was tried", () => requireNothingDenied(cluster));
}, ISOLATES);

clusterTest("isolates that come and go lose and repeat nothing", async (cluster) => {
  await endure(cluster, async (load) => {
    for (let round = 0; round < 2; round++) {
      const [oldest] = cluster.servers;
      assert.ok(oldest !== undefined);
      await cluster.addServer();
      await cluster.killServer(oldest);
      await goOn(load);
    }
  });
  requireNothingDenied(cluster);
}, ISOLATES);
