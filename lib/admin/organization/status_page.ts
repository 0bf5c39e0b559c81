import { realmUrl } from "@/lib/chat/organizations/model.ts";
import { SERVICE_VERSION } from "@/lib/chat/organizations/api.ts";
import { MIB, uploadKeys } from "@/lib/chat/files/model.ts";
import { getMailSender } from "@/lib/mail/mail.ts";
import { countWaitingMail } from "@/lib/mail/queue.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { countGivenUpMail, MOST_COUNTED, sendTestMail } from "./status_mail.ts";

/** The server's configuration without secrets. */
export interface StatusData {
  readonly mail: {
    readonly isSent: boolean;
    /** Folder that email is written to instead; null without one. */
    readonly folder: string | null;
    readonly sender: string;
    /** For the whole server, counted up to `most`, like the undeliverable ones of the last 30 days. */
    readonly waiting: number;
    readonly givenUp: number;
    readonly most: number;
    /** Recipient of a test email. */
    readonly address: string;
  };
  /** Algorithms of accepted signed tokens; null when none are accepted. */
  readonly tokenAlgorithms: readonly string[] | null;
  /** Host of the push service, or null. */
  readonly pushHost: string | null;
  readonly videoProvider: string | null;
  /** In bytes; null means no quota or an unknown size. */
  readonly uploads: { readonly most: number; readonly quota: number | null; readonly used: number | null };
  readonly isWebAllowed: boolean;
  readonly isWebWanted: boolean;
  readonly hasRateLimits: boolean;
  readonly url: string;
  readonly serverUrl: string;
  readonly version: string;
  readonly featureLevel: number;
}

/** The page that shows the server's configuration and sends a test email. */
export const statusPage: AdminPageSpec<StatusData> = {
  load: loadStatus,
  actions: {
    test_mail: { run: (request) => sendTestMail(request, "/admin/organization/status#mail") },
  },
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
      isSent: config.isMailDelivered,
      folder: getMailFolder(config),
      sender: getMailSender(config),
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
    version: SERVICE_VERSION.service_version,
    featureLevel: SERVICE_VERSION.service_feature_level,
  };
}
