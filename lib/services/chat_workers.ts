import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { dueQueue } from "@/lib/chat/organization/collection.ts";
import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { createDueWorker, type DueWork } from "@/lib/store/due_worker.ts";

/**
 * Creates the workers that carry out what is due in all organizations: each loads its code with the first row. Several
 * servers may run them on one store at the same time.
 */
export function createDueWorkers(
  app: ChatApp,
  report: (what: string) => (error: unknown) => void,
): { readonly erasures: Worker; readonly scheduledMessages: Worker; readonly reminders: Worker } {
  const create = (name: string, what: string, process: DueWork["process"]) =>
    createDueWorker(app, {
      prefix: dueQueue(name),
      process,
      report: report(what),
      everyMs: 5000,
      firstMs: 1000,
    });
  return {
    erasures: create(
      "erasure",
      "profile or messages of a deactivated account not deleted",
      async (key) => (await import("@/lib/chat/register/erase_accounts.ts")).eraseAccount(app, key),
    ),
    scheduledMessages: create(
      "scheduled_message",
      "scheduled message not sent",
      async (key) =>
        (await import("@/lib/chat/messages/scheduled_messages/deliver.ts")).deliverScheduledMessage(app, key),
    ),
    reminders: create(
      "reminder",
      "reminder not sent",
      async (key) => (await import("@/lib/chat/messages/reminders.ts")).deliverReminder(app, key),
    ),
  };
}

/** Creates the worker that deletes messages beyond their channel's retention; its code is loaded with its first run. */
export function createRetentionWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
    const { deleteExpiredMessages } = await import("@/lib/chat/messages/delete_messages.ts");
    return await deleteExpiredMessages(app, { isStopped, report });
  }, { ...HOURLY, report });
}

/** Creates the worker that removes unused files; its code is loaded with its first run. */
export function createUploadSweeper(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
    const { sweepUploads } = await import("@/lib/chat/messages/files/remove_upload.ts");
    return await sweepUploads(app, { isStopped, report });
  }, { ...HOURLY, report });
}
