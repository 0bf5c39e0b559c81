import type { Worker } from "@/lib/core/worker.ts";
import { createDueWorker } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { scheduledMessageKeys } from "./model.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;

/**
 * Creates the worker that sends scheduled messages at their time in all organizations. Several servers may
 * run it on one store at the same time.
 */
export function createScheduledMessageWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  const process = async (key: Key) =>
    (await import("./deliver_scheduled_message.ts")).deliverScheduledMessage(app, key);
  return createDueWorker(app, { prefix: scheduledMessageKeys.dueRows, process, report, ...SCHEDULE });
}
