import { realmUrl } from "@/lib/chat/realm/realm.ts";
import { SERVICE } from "@/lib/chat/server_settings/service.ts";
import { MIB, uploadKeys } from "@/lib/chat/uploads/upload.ts";
import { mailSender } from "@/lib/mail/sender.ts";
import { countWaitingMail } from "@/lib/mail/queue.ts";
import type { AdminPageSpec } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import { countGivenUpMail, MOST_COUNTED, sendTestMail } from "./status_mail.ts";

/** How the server is set up, without anything that is secret. */
export interface StatusData {
  readonly mail: {
    readonly isSent: boolean;
    readonly sender: string;
    /** Of the whole server, counted up to `most`; as are those that were given up within 30 days. */
    readonly waiting: number;
    readonly givenUp: number;
    readonly most: number;
    /** Where a test mail goes. */
    readonly address: string;
  };
  /** Algorithms of the signed tokens that this organization takes; null where it takes none. */
  readonly tokenAlgorithms: readonly string[] | null;
  /** The host of the push service, or null. */
  readonly pushHost: string | null;
  readonly videoProvider: string | null;
  /** Bytes; null is no quota, and not known. */
  readonly uploads: { readonly most: number; readonly quota: number | null; readonly used: number | null };
  readonly isWebAllowed: boolean;
  readonly isWebWanted: boolean;
  readonly hasRateLimits: boolean;
  readonly url: string;
  readonly serverUrl: string;
  readonly version: string;
  readonly featureLevel: number;
}

/** The page that says how the server is set up, and sends a test mail. */
export const statusPage: AdminPageSpec<StatusData> = {
  load: loadStatus,
  actions: { test_mail: { run: sendTestMail } },
};

async function loadStatus(request: AdminRequest): Promise<StatusData> {
  const { chat, realm, user, services: { config } } = request;
  const [waiting, givenUp, used] = await Promise.all([
    countWaitingMail(chat.store, MOST_COUNTED),
    countGivenUpMail(request),
    chat.reads.read<number>(uploadKeys.spaceUsed(realm.id)),
  ]);
  return {
    mail: {
      isSent: config.smtpUrl !== null,
      sender: mailSender(config),
      waiting,
      givenUp,
      most: MOST_COUNTED,
      address: user.delivery_email,
    },
    tokenAlgorithms: config.jwtAuthKeys[realm.subdomain]?.algorithms ?? null,
    pushHost: config.pushBouncerUrl === null ? null : new URL(config.pushBouncerUrl).host,
    videoProvider: config.videoProvider?.name ?? null,
    uploads: {
      most: config.uploadMaxMib * MIB,
      quota: config.uploadQuotaMib === 0 ? null : config.uploadQuotaMib * MIB,
      used,
    },
    isWebAllowed: config.webPublicStreamsEnabled,
    isWebWanted: realm.settings.enable_spectator_access,
    hasRateLimits: config.rateLimits !== null,
    url: realmUrl(chat, realm),
    serverUrl: config.baseUrl,
    version: SERVICE.service_version,
    featureLevel: SERVICE.service_feature_level,
  };
}
