import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { NoLongerDue } from "@/lib/store/due_worker.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { bulkActionKeys } from "./bulk_actions.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;
const MAX_AT_ONCE = 20;

/** Creates the worker of bulk actions, a step of each in turn; several may run on one store. */
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
    const entries = app.store.kv.list({ prefix: [...bulkActionKeys.dueRows] }, { limit: MAX_AT_ONCE });
    const due = await Array.fromAsync(entries, ({ key }) => key);
    const keys = due.filter((key) => !paused.has(key.join(" ")));
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
