import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { bulkActionKeys } from "./bulk_actions.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;
const MAX_AT_ONCE = 20;

/**
 * Creates the worker that applies bulk actions of all organizations, a step of each in turn. Several servers may run it
 * on one store at the same time.
 */
export function createBulkActionWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker((isStopped) => sweep(app, { isStopped, report }), { ...SCHEDULE, report });
}

/** Runs steps until no action is left, and returns their number. */
async function sweep(
  app: ChatApp,
  { isStopped, report }: { isStopped: () => boolean; report: (error: unknown) => void },
): Promise<number> {
  const { runBulkAction } = await import("./run_bulk_action.ts");
  const paused = new Set<string>();
  let steps = 0;
  for (;;) {
    const keys = (await listDue(app)).filter((key) => !paused.has(key.join(" ")));
    if (keys.length === 0) return steps;
    for (const key of keys) {
      if (isStopped()) return steps;
      await runBulkAction(app, key).then(() => steps++, (error) => {
        // Another process works on it, or the store failed: the next sweep continues.
        paused.add(key.join(" "));
        if (!(error instanceof NoLongerDue)) report(error);
      });
    }
  }
}

async function listDue({ store }: ChatApp): Promise<Key[]> {
  const keys: Key[] = [];
  const entries = store.kv.list({ prefix: [...bulkActionKeys.dueRows] }, { limit: MAX_AT_ONCE });
  for await (const { key } of entries) keys.push(key);
  return keys;
}
