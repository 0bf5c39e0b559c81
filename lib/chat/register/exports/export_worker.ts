import type { Worker } from "@/lib/core/worker.ts";
import { createDueWorker } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { exportKeys } from "./store.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;

/** Creates the worker of exports and of the end of archives; several may run on one store. */
export function createExportWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  const process = async (key: Key, isStopped: () => boolean) =>
    (await import("./run_export.ts")).runExport(app, key, isStopped);
  return createDueWorker(app, { prefix: exportKeys.dueRows, process, report, ...SCHEDULE });
}
