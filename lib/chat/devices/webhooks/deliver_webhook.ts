import { isRefusal } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import { PinnedPostError, postPinned } from "@/lib/core/pinned_post.ts";
import { codePointLength } from "@/lib/core/text.ts";
import type { Entry } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp, MessageTarget } from "@/lib/chat/organization/app.ts";
import { createTopicWork } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { toVisibleMessage } from "@/lib/chat/messages/access.ts";
import { MAX_MESSAGE_LENGTH, type VisibleMessage } from "@/lib/chat/messages/model.ts";
import { prepareUserContent } from "@/lib/chat/messages/prepare_content.ts";
import { requireMessageContent, sendMessage } from "@/lib/chat/messages/send_message.ts";
import { readMessage, readRenderedContent } from "@/lib/chat/messages/store.ts";
import { readRealm } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { toMessage } from "@/lib/chat/messages/api.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { type OutgoingWebhook, toApiEmail, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import {
  deriveWebhookToken,
  endWebhookJob,
  getWebhookTarget,
  hasOutgoingWebhook,
  type WebhookDelivery,
  type WebhookJob,
  webhookKeys,
} from "@/lib/chat/people/webhooks.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Delays before retries, in milliseconds; after the last one a delivery is given up. */
const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
/** Age in milliseconds from which a message is no longer posted, whatever delayed it. */
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;
/** Client name of the bots' answers and of tests. */
export const CLIENT_NAME = "webhook";

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
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
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
      realm,
      sender: bot,
      target,
      prepared,
      client: CLIENT_NAME,
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
  const delay = isPermanent ? undefined : RETRY_DELAYS_MS[job.value.attempts];
  const isGivenUp = delay === undefined;
  const attempt = toAttempt(app, delivery, {
    status: isGivenUp ? "failed" : "waiting",
    http_status: status,
    error,
  });
  await endJob(app, job, {
    delivery: attempt,
    ...(isGivenUp ? {} : { retryAt: attempt.updated_at + delay }),
  });
}

function toDelivered(app: ChatApp, { delivery }: DeliveryWork, http_status: number): WebhookDelivery {
  return toAttempt(app, delivery, { status: "delivered", http_status, error: null });
}

/** Returns a delivery after one more attempt. */
function toAttempt(
  { clock }: ChatApp,
  delivery: WebhookDelivery,
  outcome: Pick<WebhookDelivery, "error" | "http_status" | "status">,
): WebhookDelivery {
  return { ...delivery, ...outcome, attempts: delivery.attempts + 1, updated_at: clock.now() };
}

async function endJob(
  { store }: ChatApp,
  job: Entry<WebhookJob>,
  outcome: { delivery: WebhookDelivery | null; retryAt?: number },
): Promise<void> {
  await transact(store, (tx) => endWebhookJob(tx, job, outcome));
}

/** Time for a request and its response, in milliseconds. */
const WEBHOOK_TIMEOUT_MS = 10_000;
/** Maximum size of a response, in bytes. */
const MAX_RESPONSE_BYTES = 128 * 1024;
/** Statuses that a later attempt may change. */
const TEMPORARY_STATUSES = [408, 425, 429];

/** Outcome of a request to the address of a bot. */
type WebhookOutcome =
  | {
    readonly kind: "answered";
    readonly status: number;
    /** Markdown of the message to post; null for none. */
    readonly content: string | null;
  }
  | {
    readonly kind: "failed";
    readonly status: number | null;
    readonly error: string;
    /** Whether a later attempt would fail, too. */
    readonly isPermanent: boolean;
  };

/** A request to the address of a bot. */
export interface WebhookExchange {
  readonly outcome: WebhookOutcome;
  /** Body of the response; null without one. */
  readonly body: string | null;
}

/** Posts a payload to the address of a bot and reads the response. Never throws. */
export async function postToWebhook(
  { config }: Pick<ChatApp, "config">,
  { payload_url }: OutgoingWebhook,
  payload: object,
): Promise<WebhookExchange> {
  try {
    const { status, text } = await postPinned(new URL(payload_url), JSON.stringify(payload), {
      allowedNetworks: config.webhookInternalNetworks,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const isAccepted = status >= 200 && status <= 299;
    return { outcome: isAccepted ? readResponse(status, text) : toRefusal(status), body: text };
  } catch (error) {
    const isPermanent = error instanceof PinnedPostError && error.isPermanent;
    const message = error instanceof PinnedPostError ? error.message : "The request failed.";
    return { outcome: { kind: "failed", status: null, error: message, isPermanent }, body: null };
  }
}

function toRefusal(status: number): WebhookOutcome {
  const isPermanent = status < 500 && !TEMPORARY_STATUSES.includes(status);
  return { kind: "failed", status, error: `The answer has the status ${status}.`, isPermanent };
}

function readResponse(status: number, text: string): WebhookOutcome {
  const fail = (error: string): WebhookOutcome => ({ kind: "failed", status, error, isPermanent: true });
  if (text.trim() === "") return { kind: "answered", status, content: null };
  const body = parseJson(text);
  if (typeof body !== "object" || body === null) return fail("The answer is not a JSON object.");
  const content: unknown = Reflect.get(body, "content");
  const isSilent = Reflect.get(body, "response_not_required") === true;
  if (isSilent || content === undefined || content === null) {
    return { kind: "answered", status, content: null };
  }
  if (typeof content !== "string") return fail("The answer's content is not a text.");
  if (codePointLength(content) > MAX_MESSAGE_LENGTH) {
    return fail(`The answer's content is too long (limit: ${MAX_MESSAGE_LENGTH} characters).`);
  }
  return { kind: "answered", status, content: content.trim() === "" ? null : content };
}

/** Format of the message in a payload: Markdown, and pictures with addresses. */
const FORMAT = { isRendered: false, allowsEmptyTopic: false, drawsAvatars: false };

/** Returns the payload for the address of a bot. */
export async function toWebhookPayload(
  app: ChatApp,
  { permissions, bot, visible, trigger }:
    & Pick<DeliveryWork, "bot" | "permissions" | "visible">
    & Pick<WebhookDelivery, "trigger">,
) {
  const { realm } = permissions;
  const view = { visible, viewer: bot, format: FORMAT, topicWork: createTopicWork() };
  const [fields, rendered_content] = await Promise.all([
    toMessage(app, permissions, view),
    readRenderedContent(app, realm.id, visible.message),
  ]);
  const { flags: _flags, content_type: _type, edit_history: _history, ...message } = {
    edit_history: undefined,
    ...fields,
  };
  return {
    bot_email: toApiEmail(app, realm, bot),
    bot_full_name: bot.full_name,
    data: visible.message.content,
    message: { ...message, rendered_content },
    token: deriveWebhookToken(app, realm.id, bot),
    trigger,
  };
}
