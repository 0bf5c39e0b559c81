import { AppError } from "@/lib/core/errors.ts";
import { createWorker, type Worker } from "@/lib/core/worker.ts";
import { type Entry, toEntry } from "@/lib/store/key.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { moveDue } from "@/lib/store/due_worker.ts";
import { getWebhookTarget, type WebhookJob, webhookKeys } from "@/lib/chat/people/webhooks.ts";

/** Lease of a job, in milliseconds: longer than a request may take. */
const WEBHOOK_LEASE_MS = 30_000;
const EVERY_MS = 5000;
/** Number of concurrent requests, in total, of one organization and of one bot. */
const MAX_RUNNING = { total: 64, realm: 16, bot: 2 };
/** Number of due jobs that are examined to find one whose bot has no request in flight. */
const MAX_EXAMINED = 5000;

/** Dependencies of the sender of outgoing webhooks. */
interface WebhookSenderParts {
  readonly app: ChatApp;
  readonly report: (error: unknown) => void;
}

interface RunningDelivery {
  readonly realmId: number;
  readonly botId: number;
}

/**
 * Creates the worker that posts messages to the addresses of outgoing webhook bots. A job is stored in the
 * commit of its message, so none is lost if a process is killed; its request is then repeated. Slow addresses
 * do not delay those of other bots. Several processes may work on one store.
 */
export function createWebhookSender(parts: WebhookSenderParts): Worker {
  const running = new Map<Promise<void>, RunningDelivery>();
  const start = (job: Entry<WebhookJob>) => {
    const delivery = deliver(parts, job).finally(() => {
      running.delete(delivery);
      worker.wake();
    });
    running.set(delivery, getWebhookTarget(job));
  };
  const worker = createWorker(async (isStopped) => {
    let count = 0;
    for (const job of await pickJobs(parts.app, [...running.values()])) {
      if (isStopped()) break;
      const leaseEnd = parts.app.clock.now() + WEBHOOK_LEASE_MS;
      for (const claimed of await moveDue(parts.app.store, [job], leaseEnd) ?? []) {
        start(claimed);
        count++;
      }
    }
    return count;
  }, { everyMs: EVERY_MS, report: parts.report });
  const settle = async () => void await Promise.all(running.keys());
  return {
    ...worker,
    async sweep() {
      for (let count = 0;;) {
        const started = await worker.sweep();
        await settle();
        if (started === 0) return count;
        count += started;
      }
    },
    async stop() {
      await worker.stop();
      await settle();
    },
  };
}

/** Delivers a job; after a failure of the store it is due again when its lease ends. */
async function deliver({ app, report }: WebhookSenderParts, job: Entry<WebhookJob>): Promise<void> {
  try {
    // Loaded on first use: most servers have no outgoing webhooks.
    const { deliverWebhook } = await import("./deliver_webhook.ts");
    await deliverWebhook(app, job);
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === "CONFLICT";
    if (!isTaken) report(error);
  }
}

/** Returns the due jobs that may start beside the running ones, earliest first. */
async function pickJobs(
  { store, clock }: ChatApp,
  running: readonly RunningDelivery[],
): Promise<Entry<WebhookJob>[]> {
  const counts = new Map<string, number>();
  const countsOf = ({ realmId, botId }: RunningDelivery) =>
    [["total", ""], ["realm", ` ${realmId}`], ["bot", ` ${realmId} ${botId}`]] as const;
  const add = (delivery: RunningDelivery) => {
    for (const [kind, name] of countsOf(delivery)) {
      counts.set(kind + name, (counts.get(kind + name) ?? 0) + 1);
    }
  };
  for (const delivery of running) add(delivery);
  const picked: Entry<WebhookJob>[] = [];
  const range = { start: [...webhookKeys.jobs], end: [...webhookKeys.jobs, clock.now() + 1] };
  for await (const entry of store.kv.list(range, { limit: MAX_EXAMINED, batchSize: 100 })) {
    if ((counts.get("total") ?? 0) >= MAX_RUNNING.total) break;
    const job = toEntry<WebhookJob>(entry);
    const target = getWebhookTarget(job);
    const isFull = countsOf(target).some(([kind, name]) =>
      (counts.get(kind + name) ?? 0) >= MAX_RUNNING[kind]
    );
    if (isFull) continue;
    add(target);
    picked.push(job);
  }
  return picked;
}
