import { createDefine } from "fresh";
import type { Locker } from "@tus/server";
import type { DeliveringBouncer } from "@/lib/bouncer/notify.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { createChatApp } from "@/lib/chat/create_app.ts";
import { createEventHub, type EventHub } from "@/lib/chat/event_queues/hub.ts";
import { createInviteMailer, createJoinFinisher } from "@/lib/chat/invites/invite_mailer.ts";
import { createPushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { createFullMemberTeller } from "@/lib/chat/organizations/full_members.ts";
import { createRetention } from "@/lib/chat/messages/retention.ts";
import { createPushDelivery, type PushDelivery } from "@/lib/chat/notifications/courier.ts";
import { createNotifier } from "@/lib/chat/notifications/notifier.ts";
import { createUploadSweeper } from "@/lib/chat/uploads/sweep_uploads.ts";
import type { Config } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { lazily } from "@/lib/core/lazily.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { RandomSource } from "@/lib/core/random.ts";
import type { Worker } from "@/lib/core/worker.ts";
import type { Store } from "@/lib/kv/open.ts";
import { createLinksApp, drainLinks, type LinksApp } from "@/lib/links/app.ts";
import { createMailer, type Mailer } from "@/lib/mail/mailer.ts";
import { mailSender } from "@/lib/mail/sender.ts";
import type { MailTransport } from "@/lib/mail/transport.ts";
import { createApns } from "@/lib/push/providers/apns.ts";
import { createFcm } from "@/lib/push/providers/fcm.ts";
import type { AdminSession } from "./admin_session.ts";
import { type AddressReader, createAddressReader } from "./client_address.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createPreparedAnswers, type PreparedAnswers } from "./prepared_json.ts";
import { createRateLimiter, type RateLimiter } from "./rate_limit.ts";
import { createRequestIds, type RequestIds } from "./request_id.ts";

/** Everything that routes work with: what travels first through every call. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly links: LinksApp;
  readonly chat: ChatApp;
  /** Who waits for events, and the newest of them. */
  readonly events: EventHub;
  readonly bouncer: DeliveringBouncer;
  readonly mailer: Mailer;
  /** Removes messages that are older than their channel keeps. */
  readonly retention: Worker;
  /** Lets one part of a resumable upload come at a time. */
  readonly tusLocker: () => Promise<Locker>;
  /** Removes files that nothing links. */
  readonly uploadSweeper: Worker;
  /** Queues mails to those who are invited. */
  readonly inviteMailer: Worker;
  readonly joinFinisher: Worker;
  /** Tells of those who became full members in the course of time. */
  readonly fullMemberTeller: Worker;
  /** Takes notifications to whoever hands them on. */
  readonly courier: PushDelivery;
  /** Tells devices of messages. */
  readonly notifier: Worker;
  /** Tells the bouncer of devices. */
  readonly pushRegistrar: Worker;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter | null;
  readonly addresses: AddressReader;
  readonly prepared: PreparedAnswers;
  readonly requestIds: RequestIds;
  /** Whether the public address is https. */
  readonly isHttps: boolean;
  /** The host name of the public address, in small letters. */
  readonly publicHost: string;
  /** What changes while the server runs. */
  readonly status: ServerStatus;
}

/** The server's own condition. */
export interface ServerStatus {
  /** Requests that are being answered, but for those for events. */
  inFlight: number;
  /** Requests for events, which wait most of the time. */
  waiting: number;
  /** Set when the server was told to stop. */
  isStopping: boolean;
}

/** What a request carries through its middlewares. */
export interface State {
  app: Services;
  /** Names this request in answers and in the log. */
  requestId: string;
  /** Who is signed in; there on admin pages alone. */
  admin?: AdminSession;
}

/** Fresh's helpers, with Sotto's state. */
export const define = createDefine<State>();

/** What services are composed of. */
export interface ServiceParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly store: Store;
  readonly log: Log;
  readonly passwords: PasswordHasher;
  readonly secretKey: Uint8Array;
  readonly mailTransport: MailTransport;
}

/** Composes the services over an open store. */
export function createServices(parts: ServiceParts): Services {
  const { config, clock, random, store, log, passwords, secretKey, mailTransport } = parts;
  const links = createLinksApp({ store, clock, random, config });
  const publicHost = new URL(config.baseUrl).hostname;
  const mailer = createMailer({ store, transport: mailTransport, clock, from: mailSender(config), log });
  const wakeMailer = () => mailer.wake();
  const limiter = createRateLimiter(config.rateLimits);
  const status: ServerStatus = { inFlight: 0, waiting: 0, isStopping: false };
  const wakeNotifier = () => push.notifier.wake();
  const chat = createChatApp({ store, clock, config, passwords, secretKey, wakeMailer, wakeNotifier });
  const push = createPush(parts, chat);
  return {
    config,
    clock,
    store,
    links,
    chat,
    events: createEventHub(chat),
    mailer,
    ...push,
    ...createWorkers(chat, log),
    tusLocker: lazily(async () => new (await import("@tus/server")).MemoryLocker()),
    log,
    metrics: createMetrics({
      links,
      limiter,
      inFlight: () => status.inFlight,
      waiting: () => status.waiting,
      pendingMail: () => mailer.pending(),
    }),
    limiter,
    status,
    addresses: createAddressReader(config.trustedProxies),
    prepared: createPreparedAnswers(),
    requestIds: createRequestIds(),
    isHttps: config.baseUrl.startsWith("https:"),
    publicHost,
  };
}

/** What hands notifications on, and what tells devices of messages. */
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
      log.event("warn", "a provider of notifications is not configured", {
        variable: `PUSH_${kind.toUpperCase()}`,
      }),
  };
  const courier = createPushDelivery(chat, bouncer);
  const report = (problem: string, fields: Readonly<Record<string, unknown>>) =>
    log.event("warn", problem, fields);
  return { bouncer, courier, notifier: createNotifier({ app: chat, courier, report }) };
}

/** What works in the background; failures are logged, and the next time comes all the same. */
function createWorkers(chat: ChatApp, log: Log) {
  const report = (what: string) => (error: unknown) => log.event("error", what, { cause: String(error) });
  return {
    retention: createRetention(chat, report("old messages were not removed")),
    uploadSweeper: createUploadSweeper(chat, report("old files were not removed")),
    inviteMailer: createInviteMailer(chat, report("mails of invitations were not queued")),
    fullMemberTeller: createFullMemberTeller(chat, report("nobody was told of new full members")),
    joinFinisher: createJoinFinisher(chat, report("a newcomer was not given all channels and groups")),
    pushRegistrar: createPushRegistrar(chat, report("the bouncer was not told of a device")),
  };
}

/** Lets work in the background begin. */
export function startWorkers(services: Services): void {
  for (const worker of workersOf(services)) worker.start();
}

function workersOf(services: Services): readonly Worker[] {
  const { mailer, retention, uploadSweeper, inviteMailer, joinFinisher, notifier, pushRegistrar } = services;
  const { fullMemberTeller } = services;
  return [
    ...[mailer, retention, uploadSweeper, inviteMailer, joinFinisher, notifier, pushRegistrar],
    fullMemberTeller,
  ];
}

/**
 * Settles once everything that callers wait for is in the store and in the log. A mail in flight is waited for until
 * `patience` settles: cut off, it is sent again by whoever comes next.
 */
export async function drainServices(
  services: Services,
  patience: Promise<unknown> = services.mailer.stop(),
): Promise<void> {
  const { links, chat, events, log } = services;
  events.stop();
  await drainLinks(links);
  await Promise.all([chat.sends.drain(), chat.presences.drain()]);
  const stopped = workersOf(services).map((worker) => worker.stop());
  await Promise.race([Promise.all(stopped), patience]);
  await log.flush();
}
