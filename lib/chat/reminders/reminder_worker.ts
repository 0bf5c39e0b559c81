import type { Worker } from "@/lib/core/worker.ts";
import { createDueWorker } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { reminderKeys } from "./model.ts";

const SCHEDULE = { everyMs: 5 * 1000, firstMs: 1000 } as const;

/**
 * Creates the worker that sends reminders at their time in all organizations. Several servers may run it on
 * one store at the same time.
 */
export function createReminderWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  const process = async (key: Key) => (await import("./deliver_reminder.ts")).deliverReminder(app, key);
  return createDueWorker(app, { prefix: reminderKeys.dueRows, process, report, ...SCHEDULE });
}
