import type { Key } from "@/lib/store/key.ts";
import { exportKeys } from "@/lib/chat/register/exports/store.ts";
import { inviteKeys } from "@/lib/chat/joining/invites/model.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { dueQueue } from "@/lib/chat/organization/collection.ts";
import { createWorker, HOURLY, type Worker } from "@/lib/core/worker.ts";
import { createDueWorker, type DueWork } from "@/lib/store/due_worker.ts";

const SOON = { everyMs: 5 * 1000, firstMs: 1000 };
/** Schedule of work that a server usually completes by itself. */
const LATER = { everyMs: 30 * 1000, firstMs: 5 * 1000 };

/**
 * Creates the workers that carry out what is due in all organizations: each loads its code with the first row. Several
 * servers may run them on one store at the same time.
 */
export function createDueWorkers(
  app: ChatApp,
  report: (what: string) => (error: unknown) => void,
): Readonly<
  Record<"erasures" | "scheduledMessages" | "reminders" | "exports" | "inviteMailer" | "joinFinisher", Worker>
> {
  const create = (prefix: Key, what: string, process: DueWork["process"], schedule = SOON) =>
    createDueWorker(app, { prefix, process, report: report(what), ...schedule });
  return {
    erasures: create(
      dueQueue("erasure"),
      "profile or messages of a deactivated account not deleted",
      async (key) => (await import("@/lib/chat/register/erase_accounts.ts")).eraseAccount(app, key),
    ),
    scheduledMessages: create(
      dueQueue("scheduled_message"),
      "scheduled message not sent",
      async (key) =>
        (await import("@/lib/chat/messages/scheduled_messages/deliver.ts")).deliverScheduledMessage(app, key),
    ),
    reminders: create(
      dueQueue("reminder"),
      "reminder not sent",
      async (key) => (await import("@/lib/chat/messages/reminders.ts")).deliverReminder(app, key),
    ),
    exports: create(
      exportKeys.dueRows,
      "data export not completed",
      async (key, isStopped) =>
        (await import("@/lib/chat/register/exports/run_export.ts")).runExport(app, key, isStopped),
    ),
    // Reminders, and mails that a stopped server has not sent.
    inviteMailer: create(
      inviteKeys.mailings,
      "invitation emails not queued",
      async (key) => (await import("@/lib/chat/joining/invites/invite_mails.ts")).sendMailing(app, key),
      LATER,
    ),
    joinFinisher: create(
      inviteKeys.joinings,
      "new member not added to all channels and groups",
      async (key) => (await import("@/lib/chat/joining/invites/complete_join.ts")).completeJoin(app, key),
      LATER,
    ),
  };
}

/** Creates the worker of bulk actions, a step of each in turn; its code is loaded with its first run. */
export function createBulkActionWorker(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
    const { sweepBulkActions } = await import("@/lib/chat/register/bulk_actions/run_bulk_action.ts");
    return await sweepBulkActions(app, { isStopped, report });
  }, { ...SOON, report });
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

/** Creates the worker of members whose waiting period has ended; its code is loaded with its first run. */
export function createFullMemberPromoter(app: ChatApp, report: (error: unknown) => void): Worker {
  return createWorker(async (isStopped) => {
    const { promoteFullMembers } = await import("@/lib/chat/organization/organizations/update_realm.ts");
    return await promoteFullMembers(app, isStopped);
  }, { ...HOURLY, report });
}
