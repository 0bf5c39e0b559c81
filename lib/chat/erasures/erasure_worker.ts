import type { Worker } from "@/lib/core/worker.ts";
import { createDueWorker } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { erasureKeys } from "./model.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;

/**
 * Creates the worker that deletes profiles and messages of deactivated accounts. Several servers may run it
 * on one store at the same time.
 */
export function createErasureWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  const process = async (key: Key) => (await import("./erase_account.ts")).eraseAccount(app, key);
  return createDueWorker(app, { prefix: erasureKeys.dueRows, process, report, ...SCHEDULE });
}
