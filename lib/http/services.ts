import { createDefine } from "fresh";
import { type Locker, MemoryLocker } from "@tus/server";
import type { BouncerApp } from "@/lib/bouncer/app.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { createChatApp } from "@/lib/chat/create_app.ts";
import { createInviteMailer, type InviteMailer } from "@/lib/chat/invites/invite_mailer.ts";
import { createPushRegistrar, type PushRegistrar } from "@/lib/chat/devices/push_registrar.ts";
import { createRetention } from "@/lib/chat/messages/retention.ts";
import { sweepUploads } from "@/lib/chat/uploads/sweep_uploads.ts";
import type { Config } from "@/lib/config.ts";
import type { Clock } from "@/lib/core/clock.ts";
import { createHourly, type Hourly } from "@/lib/core/hourly.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import type { RandomSource } from "@/lib/core/random.ts";
import type { Store } from "@/lib/kv/open.ts";
import { createLinksApp, drainLinks, type LinksApp } from "@/lib/links/app.ts";
import { createMailer, type Mailer } from "@/lib/mail/mailer.ts";
import { mailSender } from "@/lib/mail/sender.ts";
import type { MailTransport } from "@/lib/mail/transport.ts";
import type { AdminSession } from "./admin_session.ts";
import { type AddressReader, createAddressReader } from "./client_address.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { createRateLimiter, type RateLimiter } from "./rate_limit.ts";
import { createRequestIds, type RequestIds } from "./request_id.ts";

/** Everything that routes work with: what travels first through every call. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly store: Store;
  readonly links: LinksApp;
  readonly chat: ChatApp;
  readonly bouncer: BouncerApp;
  readonly mailer: Mailer;
  /** Removes messages that are older than their channel keeps. */
  readonly retention: Hourly;
  /** Lets one part of a resumable upload come at a time. */
  readonly tusLocker: Locker;
  /** Removes files that nothing links. */
  readonly uploadSweeper: Hourly;
  readonly inviteMailer: InviteMailer;
  /** Tells the bouncer of devices. */
  readonly pushRegistrar: PushRegistrar;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limiter: RateLimiter | null;
  readonly addresses: AddressReader;
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
  inFlight: number;
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
  const pokeMailer = () => mailer.poke();
  const limiter = createRateLimiter(config.rateLimits);
  const status: ServerStatus = { inFlight: 0, isStopping: false };
  const chat = createChatApp({ store, clock, config, passwords, secretKey, pokeMailer });
  return {
    config,
    clock,
    store,
    links,
    chat,
    bouncer: { store, clock, secretKey, keys: config.pushBouncerKeys },
    mailer,
    ...createWorkers(chat, log),
    tusLocker: new MemoryLocker(),
    log,
    metrics: createMetrics({
      links,
      limiter,
      inFlight: () => status.inFlight,
      pendingMail: () => mailer.pending(),
    }),
    limiter,
    status,
    addresses: createAddressReader(config.trustedProxies),
    requestIds: createRequestIds(),
    isHttps: config.baseUrl.startsWith("https:"),
    publicHost,
  };
}

/** What works in the background; failures are logged, and the next time comes all the same. */
function createWorkers(chat: ChatApp, log: Log) {
  const report = (what: string) => (error: unknown) => log.event("error", what, { cause: String(error) });
  return {
    retention: createRetention(chat, report("old messages were not removed")),
    uploadSweeper: createHourly(
      (isStopped) => sweepUploads(chat, isStopped),
      report("old files were not removed"),
    ),
    inviteMailer: createInviteMailer(chat, report("mails of invitations were not queued")),
    pushRegistrar: createPushRegistrar(chat, report("the bouncer was not told of a device")),
  };
}

/**
 * Settles once everything that callers wait for is in the store and in the log. A mail in flight is waited for until
 * `patience` settles: cut off, it is sent again by whoever comes next.
 */
export async function drainServices(
  { links, chat, log, mailer, retention, uploadSweeper, inviteMailer, pushRegistrar }: Services,
  patience: Promise<unknown> = mailer.stop(),
): Promise<void> {
  await drainLinks(links);
  await Promise.all([chat.sends.drain(), chat.presences.drain()]);
  const workers = [mailer, retention, uploadSweeper, inviteMailer, pushRegistrar];
  await Promise.race([Promise.all(workers.map((worker) => worker.stop())), patience]);
  await log.flush();
}
