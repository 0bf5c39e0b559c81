import {
  createBulkActionWorker,
  createDueWorkers,
  createFullMemberPromoter,
  createRetentionWorker,
  createUploadSweeper,
} from "./chat_workers.ts";
import { type Context, createDefine, type PageResponse } from "fresh";
import type { Locker } from "@tus/server";
import type { DeliveringBouncer } from "@/lib/bouncer/notify.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { dueQueue } from "@/lib/chat/organization/collection.ts";
import { createChatApp, drainChat } from "@/lib/chat/register/create_app.ts";
import { EventHub } from "@/lib/chat/register/events/hub.ts";
import { createPushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { createPushDelivery } from "@/lib/chat/devices/push_notifications/push_delivery.ts";
import { createNotifier } from "@/lib/chat/devices/push_notifications/notifier.ts";
import { createWebhookSender } from "@/lib/chat/devices/webhooks/webhook_sender.ts";
import type { Config } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { lazily } from "@/lib/core/yield_to_event_loop.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { Worker } from "@/lib/core/worker.ts";
import { countDue } from "@/lib/store/due_worker.ts";
import type { Store } from "@/lib/store/open.ts";
import { createStoreSizeSampler } from "@/lib/services/sotto_store.ts";
import { createLinksApp, drainLinks, type LinksApp } from "@/lib/links/app.ts";
import { createMailer, type Mailer } from "@/lib/mail/mailer.ts";
import { getMailSender } from "@/lib/mail/mail.ts";
import type { MailTransport } from "@/lib/mail/transport.ts";
import { createApns } from "@/lib/push/providers/apns.ts";
import { createFcm } from "@/lib/push/providers/fcm.ts";
import { BodyArrivals } from "@/lib/core/body_arrival.ts";
import { createAccountQuotas } from "./account_quotas.ts";
import type { AdminSession } from "./admin_session.ts";
import { createAddressReader } from "./client_address.ts";
import { createRequestIds, type Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createPreparedResponses, openCompressedAssets } from "./compressed_assets.ts";
import { createServerRateLimiter, type RateLimiter } from "./rate_limit.ts";
import { UnreadResponses } from "./unread_responses.ts";

/** A route of the server. */
export interface ServedRoute {
  /** Path as OpenAPI writes it, such as `/users/{id}`. */
  readonly path: string;
  /** Loads the module that answers it. */
  readonly load: () => Promise<unknown>;
}

/** Services that routes use; the first argument of every call. */
export interface Services
  extends
    ReturnType<typeof createRequestServices>,
    ReturnType<typeof createPush>,
    ReturnType<typeof createWorkers> {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly links: LinksApp;
  readonly chat: ChatApp;
  /** Event queues with their waiting clients and newest events. */
  readonly events: EventHub;
  readonly mailer: Mailer;
  readonly log: Log;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly limiter: RateLimiter | null;
  readonly unreadResponses: UnreadResponses;
  readonly listRoutes: ListRoutes;
  /** State that changes while the server runs. */
  readonly status: ServerStatus;
}

/** Lists the routes of the build, in the order of their paths. */
type ListRoutes = () => Promise<readonly ServedRoute[]>;

/** State of the running server. */
interface ServerStatus {
  /** Number of requests in flight, event requests excepted. */
  inFlight: number;
  /** Number of event requests, which wait most of the time. */
  waiting: number;
  /** Set when the server was asked to stop. */
  isStopping: boolean;
}

/** An admin page that answers a request. */
interface AdminPage {
  /** Pattern of its paths, as routes have it: `/admin/groups/:id`. */
  readonly route: string;
  readonly handler: (ctx: Context<State>) => Promise<Response | PageResponse<never>>;
}

/** State of a request, shared by its middlewares. */
export interface State {
  app: Services;
  /** Id of the request in responses and in the log. */
  requestId: string;
  /** Whether the request counted towards a limit of its address or its account. */
  isCounted?: boolean;
  /** Whether pages of other origins may read the responses of the path, refusals included. */
  isOpenToOrigins?: boolean;
  /** Id of the browser session that was read for the request; missing without one. */
  sessionId?: string;
  /** The signed-in administrator; on admin pages only. */
  admin?: AdminSession;
  /** The declared admin page at the path. */
  page?: AdminPage;
}

/** Fresh's helpers with Sotto's request state. */
export const define = createDefine<State>();

/** Parts that services are composed of. */
interface ServiceParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly log: Log;
  readonly passwords: PasswordHasher;
  readonly secretKey: Uint8Array;
  readonly mailTransport: MailTransport;
  readonly listRoutes: ListRoutes;
}

/** Number up to which due rows of one queue are counted. */
const MAX_COUNTED = 1000;

/** Composes the services over an open store. */
export function createServices(parts: ServiceParts): Services {
  const { config, clock, store, log, passwords, secretKey, mailTransport, listRoutes } = parts;
  const links = createLinksApp({ store, clock, config }, reportTo(log));
  const mailer = createMailer({ store, transport: mailTransport, clock, from: getMailSender(config), log });
  const limiter = createServerRateLimiter(parts);
  const status: ServerStatus = { inFlight: 0, waiting: 0, isStopping: false };
  const wakes = {
    wakeMailer: () => mailer.wake(),
    wakeNotifier: () => push.notifier.wake(),
    wakeWebhooks: () => workers.webhookSender.wake(),
    wakeBulkActions: () => workers.bulkActions.wake(),
    wakeExports: () => workers.exports.wake(),
  };
  const report = reportTo(log);
  const chat = createChatApp({ store, clock, config, passwords, secretKey, ...wakes, report });
  const workers = createWorkers(chat, log);
  const push = createPush(parts, chat);
  return {
    config,
    clock,
    store,
    links,
    chat,
    events: new EventHub(chat),
    mailer,
    ...push,
    ...workers,
    metrics: createMetrics({
      links,
      log,
      limiter,
      inFlight: () => status.inFlight,
      waiting: () => status.waiting,
      pendingMail: () => mailer.pending(),
      overdue: () => countOverdue(parts),
    }),
    ...{ log, limiter, status, listRoutes },
    ...createRequestServices(config),
    unreadResponses: new UnreadResponses(clock),
  };
}

/** Returns a report of failed background work that logs it. */
function reportTo(log: Log): (problem: string, error: unknown) => void {
  return (problem, error) => log.event("error", problem, { cause: String(error) });
}

/** Creates the services that know requests. */
function createRequestServices({ trustedProxies, baseUrl }: Config) {
  return {
    /** Whether the public address uses https. */
    isHttps: baseUrl.startsWith("https:"),
    /** Host name of the public address, in lower case. */
    publicHost: new URL(baseUrl).hostname,
    addresses: createAddressReader(trustedProxies),
    prepared: createPreparedResponses(),
    assets: openCompressedAssets(),
    /** Serializes the parts of each resumable upload. */
    tusLocker: lazily(async (): Promise<Locker> => new (await import("@tus/server")).MemoryLocker()),
    requestIds: createRequestIds(),
    /** Requests in flight by account and organization. */
    quotas: createAccountQuotas(),
    /** Bodies in flight that may be given up. */
    arrivals: new BodyArrivals(),
  };
}

/** Creates the services that deliver notifications to the bouncer and to devices. */
function createPush({ config, store, clock, secretKey, log }: ServiceParts, chat: ChatApp) {
  const { fcm, apns } = config.pushProviders;
  const now = () => clock.now();
  const bouncer: DeliveringBouncer = {
    store,
    clock,
    secretKey,
    keys: config.pushBouncerKeys,
    providers: { fcm: fcm && createFcm(fcm, now), apns: apns && createApns(apns, now) },
    reportUnconfigured: (kind) =>
      log.event("warn", "push provider not configured", {
        variable: `PUSH_${kind.toUpperCase()}`,
      }),
  };
  const pushDelivery = createPushDelivery(chat, bouncer);
  const report = (problem: string, fields: Readonly<Record<string, unknown>>) =>
    log.event("warn", problem, fields);
  return { bouncer, pushDelivery, notifier: createNotifier({ app: chat, delivery: pushDelivery, report }) };
}

/** Creates the background workers. A failure is logged and does not stop later runs. */
function createWorkers(chat: ChatApp, log: Log) {
  const report = (what: string) => (error: unknown) => reportTo(log)(what, error);
  return {
    retention: createRetentionWorker(chat, report("expired messages not removed")),
    bulkActions: createBulkActionWorker(chat, report("bulk action not continued")),
    uploadSweeper: createUploadSweeper(chat, report("unused files not removed")),
    fullMemberPromoter: createFullMemberPromoter(chat, report("full-member promotion events not sent")),
    ...createDueWorkers(chat, report),
    webhookSender: createWebhookSender({ app: chat, report: report("outgoing webhooks not sent") }),
    storeSizeSampler: createStoreSizeSampler(chat.store, {
      clock: chat.clock,
      report: report("size of the store not recorded"),
    }),
    pushRegistrar: createPushRegistrar(chat, report("device not registered with the bouncer")),
  };
}

/** Returns the number of scheduled messages and reminders that are due, each counted up to a maximum. */
async function countOverdue(parts: ServiceParts): Promise<number> {
  const queues = [dueQueue("scheduled_message"), dueQueue("reminder")];
  const counts = await Promise.all(queues.map((queue) => countDue(parts, queue, MAX_COUNTED)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Starts the background workers. */
export function startWorkers(services: Services): void {
  for (const worker of [...frequentWorkersOf(services), ...hourlyWorkersOf(services)]) worker.start();
  // A process that was killed may have left visits in the log.
  services.links.compactor.wake();
}

/** Returns the workers whose work is due at any time. */
export function frequentWorkersOf(services: Services): readonly Worker[] {
  const { links, mailer, inviteMailer, joinFinisher, notifier, pushRegistrar, webhookSender } = services;
  const { scheduledMessages, reminders, erasures, bulkActions, exports, chat } = services;
  const queues = [mailer, inviteMailer, joinFinisher, notifier, pushRegistrar, webhookSender];
  const due = [scheduledMessages, reminders, erasures, bulkActions, exports];
  return [links.indexer, links.visitRemover, chat.wordIndexer, chat.activity, ...queues, ...due];
}

/** Returns the workers whose work can wait for an hour. */
export function hourlyWorkersOf(
  { retention, uploadSweeper, fullMemberPromoter, storeSizeSampler }: Services,
): readonly Worker[] {
  return [retention, uploadSweeper, fullMemberPromoter, storeSizeSampler];
}

/**
 * Settles once everything that callers wait for is stored and logged. Waits for an email in flight until
 * `patience` settles; an email that is cut off is sent again by the next process.
 */
export async function drainServices(
  services: Services,
  patience: Promise<unknown> = services.mailer.stop(),
): Promise<void> {
  const { links, chat, events, log } = services;
  events.stop();
  chat.images.close();
  await drainLinks(links);
  await drainChat(chat);
  const workers = [...frequentWorkersOf(services), ...hourlyWorkersOf(services)];
  const stopped = workers.map((worker) => worker.stop());
  await Promise.race([Promise.all(stopped), patience]);
  await log.flush();
}
