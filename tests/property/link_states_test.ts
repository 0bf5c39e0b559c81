import assert from "node:assert/strict";
import fc from "@/tests/helpers/fast_check.ts";
import { AppError } from "@/lib/core/errors.ts";
import { readOpenLink, shorten, storeLink, visitLink } from "@/lib/links/actions.ts";
import { createLinksApp, drainLinks, type LinksApp } from "@/lib/links/app.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { blockHost, unblockHost } from "@/lib/links/manage/blocked_hosts.ts";
import type { LinkPatch } from "@/lib/links/manage/link_schemas.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { readVisitCount } from "@/lib/links/visit_log.ts";
import { readConfig } from "@/lib/config.ts";
import { createFakeClock, type FakeClock } from "@/tests/helpers/app.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const HOST = "example.com";
const ACTOR = { creator: null, audit: () => {} };

/** A step, taken by one of two processes with memories of their own. */
type Step =
  & { readonly by: number }
  & (
    | { readonly kind: "visit"; readonly count: number }
    | { readonly kind: "look" }
    | { readonly kind: "patch"; readonly patch: LinkPatch }
    | { readonly kind: "expire"; readonly inMs: number | null }
    | { readonly kind: "wait"; readonly ms: number }
    | { readonly kind: "block"; readonly isBlocked: boolean }
    | { readonly kind: "delete"; readonly areVisitsDeleted: boolean }
  );

const by = fc.constantFrom(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({ by, kind: fc.constant("visit"), count: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 15, arbitrary: fc.record({ by, kind: fc.constant("look") }) },
  {
    weight: 5,
    arbitrary: fc.record({ by, kind: fc.constant("patch"), patch: fc.record({ isDisabled: fc.boolean() }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      by,
      kind: fc.constant("patch"),
      patch: fc.record({ maxVisits: fc.option(fc.integer({ min: 1, max: 20 })) }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      by,
      kind: fc.constant("expire"),
      inMs: fc.option(fc.integer({ min: 1, max: 50 })),
    }),
  },
  { weight: 5, arbitrary: fc.record({ by, kind: fc.constant("wait"), ms: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 5, arbitrary: fc.record({ by, kind: fc.constant("block"), isBlocked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ by, kind: fc.constant("delete"), areVisitsDeleted: fc.boolean() }) },
);

/** The link as it should be. */
class Model {
  isDisabled = false;
  isBlocked = false;
  isDeleted = false;
  maxVisits: number | null = null;
  expiresAt: number | null = null;
  visits = 0;

  /** Number of visits that may still count at a time. */
  room(time: number): number {
    const isClosed = this.isDeleted || this.isDisabled || this.isBlocked ||
      this.expiresAt !== null && time >= this.expiresAt;
    return isClosed ? 0 : Math.max(0, (this.maxVisits ?? Infinity) - this.visits);
  }
}

Deno.test("under any changes by two processes a link answers and counts as its properties say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      using store = await openTestStore();
      const clock = createFakeClock();
      const config = readConfig({ KV_URL: ":memory:" });
      const apps = [0, 1].map(() => createLinksApp({ store, clock, config }, () => {}));
      const [first] = apps;
      assert.ok(first !== undefined);
      const { short } = await shorten(first, `https://www.${HOST}/`);
      const model = new Model();
      for (const each of steps) {
        const app = apps[each.by];
        assert.ok(app !== undefined);
        await take(each, { app, short, model, clock });
      }
      for (const app of apps) await app.visitRemover.sweep();
      assert.equal(await readVisitCount(store.kv, short), model.visits);
      await first.compactor.catchUp();
      assert.deepEqual((await checkLinks(store.kv)).problems, []);
      for (const app of apps) await drainLinks(app);
    }),
    { numRuns: 60 },
  );
});

interface Stage {
  readonly app: LinksApp;
  readonly short: string;
  readonly model: Model;
  readonly clock: FakeClock;
}

async function take(step: Step, { app, short, model, clock }: Stage): Promise<void> {
  const patch = (patch: LinkPatch) => updateLinks(app, { shorts: [short], patch }, ACTOR);
  switch (step.kind) {
    case "visit": {
      const outcomes = await Promise.all(Array.from({ length: step.count }, () => visit(app, short)));
      const counted = Math.min(step.count, model.room(clock.time));
      assert.equal(outcomes.filter(Boolean).length, counted);
      model.visits += counted;
      return;
    }
    case "look":
      assert.equal(await isOpen(() => readOpenLink(app, short)), model.room(clock.time) > 0);
      return;
    case "patch":
      await patch(step.patch);
      if (model.isDeleted) return;
      model.isDisabled = step.patch.isDisabled ?? model.isDisabled;
      if (step.patch.maxVisits !== undefined) model.maxVisits = step.patch.maxVisits;
      return;
    case "expire": {
      const expiresAt = step.inMs === null ? null : clock.time + step.inMs;
      await patch({ expiresAt });
      if (!model.isDeleted) model.expiresAt = expiresAt;
      return;
    }
    case "wait":
      clock.time += step.ms;
      return;
    case "block":
      if (step.isBlocked) await blockHost(app, HOST, ACTOR);
      else await unblockHost(app, HOST, ACTOR).catch(() => {});
      model.isBlocked = step.isBlocked;
      return;
    case "delete": {
      const { areVisitsDeleted } = step;
      const { changed } = await deleteLinks(app, { shorts: [short], areVisitsDeleted }, ACTOR);
      assert.equal(changed.length, model.isDeleted ? 0 : 1);
      if (!model.isDeleted && areVisitsDeleted) model.visits = 0;
      model.isDeleted = true;
    }
  }
}

function visit(app: LinksApp, short: string): Promise<boolean> {
  return isOpen(async () => await visitLink(app, short));
}

async function isOpen(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "GONE") return false;
    throw error;
  }
}

Deno.test("concurrent visits and changes by two processes leave exact counts", async () => {
  const maxVisits = fc.integer({ min: 1, max: 30 });
  await fc.assert(
    fc.asyncProperty(
      maxVisits,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 80 }),
      async (max, order) => {
        using store = await openTestStore();
        const config = readConfig({ KV_URL: ":memory:" });
        const parts = { store, clock: createFakeClock(), config };
        const apps = [createLinksApp(parts, () => {}), createLinksApp(parts, () => {})] as const;
        const [{ short: limited }, { short: plain }] = [
          await storeLink(apps[0], { url: "https://example.com/", maxVisits: max }, null),
          await shorten(apps[0], "https://example.com/"),
        ];
        const visits = order.map(async (isFirst, at) => {
          const app = apps[isFirst ? 0 : 1];
          if (at % 10 === 5) await updateLinks(app, { shorts: [limited], patch: { title: `${at}` } }, ACTOR);
          return [await visit(app, limited), await visit(app, plain)] as const;
        });
        const outcomes = await Promise.all(visits);
        assert.equal(outcomes.filter(([isCounted]) => isCounted).length, Math.min(max, order.length));
        assert.equal(outcomes.filter(([, isCounted]) => isCounted).length, order.length);
        assert.equal(await readVisitCount(store.kv, limited), Math.min(max, order.length));
        assert.deepEqual((await checkLinks(store.kv)).problems, []);
        for (const app of apps) await drainLinks(app);
      },
    ),
    { numRuns: 20 },
  );
});
