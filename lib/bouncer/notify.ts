import { z } from "zod";
import type { DeliveryResult, Provider } from "@/lib/push/providers/provider.ts";
import type { BouncerApp } from "./app.ts";
import { forgetRegistration, type PushRegistration, readRegistration } from "./registration.ts";
import { requireRemoteRealm } from "./remote_server.ts";

/** What becomes of a notification at a bouncer; `failed`: it has no credentials for the device's provider. */
export type NotifyResult = DeliveryResult | "failed";

/** A bouncer that reaches the providers. */
export interface DeliveringBouncer extends BouncerApp {
  /** Null: not configured. */
  readonly providers: Readonly<Record<PushRegistration["token_kind"], Provider | null>>;
  /** Tells the operator of devices that nothing can be handed on to; never rejects. */
  readonly reportUnconfigured: (kind: PushRegistration["token_kind"]) => void;
}

/** Requests in one call at most. */
export const MAX_PUSH_REQUESTS = 50;

/** The notifications of one call: one for each token, as the answer names tokens. */
export const pushRequests = z.array(z.object({
  token_id: z.string().min(1).max(100),
  push_key_id: z.int().min(0).max(2 ** 32 - 1),
  encrypted_data: z.base64().min(1).max(4096),
  priority: z.literal(["high", "normal"]),
})).min(1).max(MAX_PUSH_REQUESTS).refine(
  (requests) => new Set(requests.map(({ token_id }) => token_id)).size === requests.length,
  { error: "One notification for each token" },
);
/** One notification for one device. */
export type PushRequest = z.infer<typeof pushRequests>[number];

/** Ids of tokens by what became of their notifications; those in none of the lists are to be sent again later. */
export interface NotifyAnswer {
  readonly delivered: readonly string[];
  /** Their devices must register again. */
  readonly gone: readonly string[];
  /** This bouncer cannot reach their provider. */
  readonly failed: readonly string[];
}

/** An organization's notifications, one for each token. */
export interface Notifying {
  readonly realm_uuid: string;
  readonly push_requests: readonly PushRequest[];
}

/**
 * Hands notifications of a server's organization on to the providers.
 * @throws AppError MISSING_REMOTE_REALM.
 */
export async function notifyForServer(
  app: DeliveringBouncer,
  orgId: string,
  sent: Notifying,
): Promise<NotifyAnswer> {
  await requireRemoteRealm(app, { org_id: orgId, realm_uuid: sent.realm_uuid });
  return await notifyDevices(app, sent);
}

/** Hands an organization's notifications on to the providers, whoever asks; tokens that are gone are forgotten. */
export async function notifyDevices(
  app: DeliveringBouncer,
  { realm_uuid, push_requests }: Notifying,
): Promise<NotifyAnswer> {
  const results = await Promise.all(push_requests.map(async (request) => ({
    id: request.token_id,
    result: await notifyOne(app, { realm_uuid, request }),
  })));
  const idsOf = (wanted: NotifyResult) =>
    results.filter(({ result }) => result === wanted).map(({ id }) => id);
  const [delivered, gone, failed] = [idsOf("delivered"), idsOf("gone"), idsOf("failed")];
  for (const token_id of gone) await forgetRegistration(app, { realm_uuid, token_id });
  return { delivered, gone, failed };
}

async function notifyOne(
  app: DeliveringBouncer,
  { realm_uuid, request }: { realm_uuid: string; request: PushRequest },
): Promise<NotifyResult> {
  const { token_id, push_key_id, encrypted_data, priority } = request;
  const registration = await readRegistration(app, { realm_uuid, token_id });
  if (registration === null) return "gone";
  const { record, token } = registration;
  const provider = app.providers[record.token_kind];
  if (provider === null) {
    app.reportUnconfigured(record.token_kind);
    return "failed";
  }
  const { ios_app_id: appId } = record;
  return await provider.send({
    token,
    appId,
    pushKeyId: push_key_id,
    encryptedData: encrypted_data,
    priority,
  });
}
