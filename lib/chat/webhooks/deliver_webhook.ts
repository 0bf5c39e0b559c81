import { isRefusal } from "@/lib/core/errors.ts";
import type { Entry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { toVisibleMessage } from "../messages/access.ts";
import type { MessageTarget, VisibleMessage } from "../messages/model.ts";
import { prepareUserContent } from "../messages/prepare_content.ts";
import { requireMessageContent, sendMessage } from "../messages/send_message.ts";
import { readMessage } from "../messages/store.ts";
import { readRealm } from "../organizations/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { OutgoingWebhook, UserRecord } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import {
  getWebhookTarget,
  hasOutgoingWebhook,
  type WebhookDelivery,
  type WebhookJob,
  webhookKeys,
} from "./model.ts";
import { postToWebhook, type WebhookOutcome } from "./post_to_webhook.ts";
import { endWebhookJob } from "./store.ts";
import { toWebhookPayload } from "./webhook_payload.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Delays before retries, in milliseconds; after the last one a delivery is given up. */
const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
/** Age in milliseconds from which a message is no longer posted, whatever kept it. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;
/** Client name of the bots' answers. */
const CLIENT_NAME = "webhook";
/** A leased job with everything that its request needs. */
interface DeliveryWork {
  readonly job: Entry<WebhookJob>;
  readonly delivery: WebhookDelivery;
  readonly permissions: PermissionContext;
  readonly bot: UserRecord;
  readonly webhook: OutgoingWebhook;
  readonly visible: VisibleMessage;
}

/**
 * Posts the message of a leased job to the address of its bot, and posts the answer as a message of the bot. The
 * answer is stored in the commit that ends the job, so it is posted once even if the request is repeated.
 */
export async function deliverWebhook(app: ChatApp, job: Entry<WebhookJob>): Promise<void> {
  const work = await readWork(app, job);
  if (work === null) return await endJob(app, job, { delivery: null });
  if (app.clock.now() - job.value.queued_at >= MAX_AGE_MS) {
    const error = "The message is too old.";
    return await recordFailure(app, work, { kind: "failed", status: null, error, isPermanent: true });
  }
  const { outcome } = await postToWebhook(
    app,
    work.webhook,
    await toWebhookPayload(app, { ...work, trigger: work.delivery.trigger }),
  );
  if (outcome.kind === "failed") return await recordFailure(app, work, outcome);
  if (outcome.content === null) {
    return await endJob(app, job, { delivery: toDelivered(app, work, outcome.status) });
  }
  await postAnswer(app, work, { status: outcome.status, content: outcome.content });
}

/** Returns null if there is nothing to deliver any more, or nothing that the bot can see. */
async function readWork(app: ChatApp, job: Entry<WebhookJob>): Promise<DeliveryWork | null> {
  const target = getWebhookTarget(job);
  const [realm, bot, message, delivery] = await Promise.all([
    readRealm(app, target.realmId),
    readUser(app, target.realmId, target.botId),
    readMessage(app, target.realmId, target.messageId),
    app.reads.read<WebhookDelivery>(webhookKeys.delivery(target)),
  ]);
  if (realm === null || realm.is_deactivated || message === null || delivery === null) return null;
  if (bot?.outgoing_webhook === undefined || !hasOutgoingWebhook(bot)) return null;
  const permissions = await peekPermissionContext(app, realm);
  const visible = await toVisibleMessage(app, permissions, { message, user: bot });
  return visible && { job, delivery, permissions, bot, webhook: bot.outgoing_webhook, visible };
}

async function postAnswer(
  app: ChatApp,
  work: DeliveryWork,
  { status, content }: { status: number; content: string },
): Promise<void> {
  const { job, bot, permissions: { realm } } = work;
  try {
    const prepared = await prepareUserContent(app, { realm, author: bot }, requireMessageContent(content));
    const target = toAnswerTarget(work);
    await sendMessage(app, {
      ...{ realm, sender: bot, target, prepared, client: CLIENT_NAME },
      alongside: (tx, id) => {
        return endWebhookJob(tx, job, {
          delivery: { ...toDelivered(app, work, status), answer_message_id: id },
        });
      },
    });
  } catch (error) {
    // Refusals of the store and of a lost lease are no answer's fault.
    if (!isRefusal(error)) throw error;
    const reason = `The answer was not posted: ${error.message}`;
    await recordFailure(app, work, { kind: "failed", status, error: reason, isPermanent: true });
  }
}

function toAnswerTarget({ bot, visible: { message, conversation } }: DeliveryWork): MessageTarget {
  if (message.channel_id !== null) {
    return { kind: "channel", channel: message.channel_id, topic: message.topic };
  }
  const others = conversation?.user_ids.filter((id) => id !== bot.id) ?? [];
  return { kind: "direct", userIds: others };
}

async function recordFailure(
  app: ChatApp,
  { job, delivery }: DeliveryWork,
  { status, error, isPermanent }: Extract<WebhookOutcome, { kind: "failed" }>,
): Promise<void> {
  const now = app.clock.now();
  const delay = isPermanent ? undefined : RETRY_DELAYS_MS[job.value.attempts];
  const attempts = delivery.attempts + 1;
  const failed = { ...delivery, attempts, http_status: status, error, updated_at: now };
  await endJob(app, job, {
    delivery: { ...failed, status: delay === undefined ? "failed" : "waiting" },
    ...(delay === undefined ? {} : { retryAt: now + delay }),
  });
}

function toDelivered({ clock }: ChatApp, { delivery }: DeliveryWork, status: number): WebhookDelivery {
  const attempts = delivery.attempts + 1;
  return {
    ...delivery,
    ...{ status: "delivered", attempts, http_status: status, error: null, updated_at: clock.now() },
  };
}

async function endJob(
  { store }: ChatApp,
  job: Entry<WebhookJob>,
  outcome: { delivery: WebhookDelivery | null; retryAt?: number },
): Promise<void> {
  await transact(store, (tx) => endWebhookJob(tx, job, outcome));
}
