import assert from "node:assert/strict";
import { clusterTest } from "@/tests/helpers/cluster.ts";
import { exportOnce, mailInvitations, requireOnce, sendScheduled } from "./background_scenarios.ts";
import { createGarden } from "./load.ts";

clusterTest(
  "background work of three servers is done once, also when one of them is killed",
  async (cluster) => {
    const garden = await createGarden(cluster);
    const [first] = cluster.servers;
    assert.ok(first !== undefined);
    await Promise.all([
      mailInvitations(cluster, garden),
      sendScheduled(cluster, garden),
      exportOnce(cluster, garden),
    ]);
    await requireOnce(cluster, garden);
    // The others go on with the work of a server that is gone.
    await cluster.killServer(first);
    await sendScheduled(cluster, garden);
    assert.equal((await cluster.admin("check")).ok, true);
  },
);
