import type { Worker } from "@/lib/core/worker.ts";
import { createDueWorker } from "@/lib/store/due_worker.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { inviteKeys } from "./model.ts";

const SCHEDULE = { everyMs: 30 * 1000, firstMs: 5 * 1000 } as const;

/** Creates the worker of due mailings: reminders, and mails that a stopped server left behind. */
export function createInviteMailer(app: ChatApp, report: Report): Worker {
  const process = async (key: Key) => (await import("./invite_mails.ts")).sendMailing(app, key);
  return createDueWorker(app, { prefix: inviteKeys.mailings, process, report, ...SCHEDULE });
}

/** Creates the worker that completes joins which a server left behind when it stopped. */
export function createJoinWorker(app: ChatApp, report: Report): Worker {
  const process = async (key: Key) => (await import("./complete_join.ts")).completeJoin(app, key);
  return createDueWorker(app, { prefix: inviteKeys.joinings, process, report, ...SCHEDULE });
}

type Report = (error: unknown) => void;
