import assert from "node:assert/strict";
import type { Cluster } from "@/tests/helpers/cluster.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { readSeed, seededRandom } from "@/tests/process/traffic.ts";
import { createGarden, MixedLoad } from "./load.ts";
import { createPoller } from "./poller.ts";

/** Operations that are acknowledged between two faults. */
const OPERATIONS = 100;

/** Waits until more operations were acknowledged. */
export async function goOn(load: MixedLoad): Promise<void> {
  const goal = load.acknowledged + OPERATIONS;
  await waitFor(`${goal} operations are acknowledged`, () => load.acknowledged, {
    isMet: (count) => count >= goal,
  });
}

/** Runs a load through faults, then verifies what is stored, delivered and consistent. */
export async function endure(cluster: Cluster, inject: (load: MixedLoad) => Promise<void>): Promise<void> {
  const seed = readSeed();
  const garden = await createGarden(cluster);
  const load = new MixedLoad(cluster, garden, seededRandom(seed));
  const pollers = await Promise.all(cluster.servers.map(({ url }) => createPoller(url, garden.people[1])));
  await load.during(async () => {
    await goOn(load);
    await inject(load);
    await goOn(load);
  });
  const stored = await load.verify();
  for (const poller of pollers) {
    const received = await poller.movedTo(cluster.url).receiveAll();
    assert.deepEqual(received, stored.map(({ id }) => id), `With TEST_SEED=${seed}`);
  }
  assert.equal((await cluster.admin("check")).ok, true);
}
