import { systemClock } from "@/lib/core/clock.ts";
import { readOrMakeSecretKey } from "@/lib/services/sotto_store.ts";
import type { Store } from "@/lib/store/open.ts";
import { startTestApp } from "@/tests/helpers/app.ts";
import { type Action, createTimeline, runAgenda, sumWeights, type Timeline } from "./agenda.ts";
import { emailOf } from "./content/people.ts";
import { planLarge } from "./large/plan_large.ts";
import { type DemoVolumes, splitVolumes } from "./options.ts";
import { planAll } from "./plan_all.ts";
import { FIRST_DAY, getFounder } from "./plan_people.ts";
import { createProgress, type ProgressOutput } from "@/lib/cli/progress.ts";
import { DemoSite } from "./site.ts";

/** Store, content and reporting of a new demo organization. */
export interface DemoParts {
  /** A store without an organization, which is closed in the end. */
  readonly store: Store;
  readonly volumes: DemoVolumes;
  /** Whether most of the volumes is written in bulk. */
  readonly isLarge: boolean;
  /** Password of all people. */
  readonly password: string;
  /** End of the story, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Settings of the server, such as BASE_URL and SECRET_KEY. */
  readonly env: Readonly<Record<string, string>>;
  readonly output: ProgressOutput;
}

/**
 * Fills a store with the demo organization, through the API of a server in this process whose clock is moved
 * from one action to the next. Returns the address of the owner. Mail is not sent.
 */
export async function createDemo(parts: DemoParts): Promise<string> {
  const { store, password, now, env, output } = parts;
  await using app = await startTestApp({
    env,
    store,
    secretKey: await readOrMakeSecretKey(store),
  });
  const timeline = createTimeline(now);
  const site = new DemoSite(app, password);
  const actions = planDemo(timeline, parts);
  const progress = createProgress(output, systemClock, {
    label: "Creating the demo",
    total: sumWeights(actions),
  });
  site.clock.time = timeline.daysAgo(FIRST_DAY);
  await site.createOrganization(getFounder());
  await runAgenda(site, actions, progress);
  await app.mails();
  await app.services.links.compactor.catchUp();
  progress.finish();
  return emailOf(getFounder().key);
}

function planDemo(timeline: Timeline, { volumes, isLarge }: DemoParts): readonly Action[] {
  if (!isLarge) return planAll(timeline, volumes);
  const { usual, bulk } = splitVolumes(volumes);
  return planLarge(timeline, bulk, planAll(timeline, usual));
}
