import { z } from "zod";
import type { DeliveryResult, Provider } from "@/lib/push/providers/provider.ts";
import { deleteRegistration, type PushRegistration, readRegistration } from "./registration.ts";
import { type BouncerApp, requireRemoteRealm } from "./remote_server.ts";

/**
 * Result of a notification at a bouncer. `failed` means that it has no credentials for the device's provider.
 */
type NotifyResult = DeliveryResult | "failed";

/** A bouncer with its providers. */
export interface DeliveringBouncer extends BouncerApp {
  /** Providers by kind of token; null if not configured. */
  readonly providers: Readonly<Record<PushRegistration["token_kind"], Provider | null>>;
  /** Reports to the operator that a device's provider is not configured. Never throws. */
  readonly reportUnconfigured: (kind: PushRegistration["token_kind"]) => void;
}

/** Maximum number of requests in one call. */
export const MAX_PUSH_REQUESTS = 50;

/** Notifications of one call. Each has a different token, because the response lists tokens. */
export const pushRequests = z.array(z.object({
  token_id: z.string().min(1).max(100),
  push_key_id: z.int().min(0).max(2 ** 32 - 1),
  encrypted_data: z.base64().min(1).max(4096),
  priority: z.literal(["high", "normal"]),
})).min(1).max(MAX_PUSH_REQUESTS).refine(
  (requests) => new Set(requests.map(({ token_id }) => token_id)).size === requests.length,
  { error: "One notification for each token" },
);
/** An encrypted notification for one device. */
export type PushRequest = z.infer<typeof pushRequests>[number];

/** Token ids by the result of their notifications. Those in none of the lists have to be retried. */
export interface NotifyReport {
  readonly delivered: readonly string[];
  /** Tokens that are no longer registered. Their devices have to register again. */
  readonly gone: readonly string[];
  /** Tokens whose provider is not configured at this bouncer. */
  readonly failed: readonly string[];
}

/** Notifications of one organization, at most one per token. */
interface NotifyRequest {
  readonly realm_uuid: string;
  readonly push_requests: readonly PushRequest[];
}

/**
 * Passes notifications of a remote server's organization on to the providers.
 * @throws AppError MISSING_REMOTE_REALM.
 */
export async function notifyForServer(
  app: DeliveringBouncer,
  orgId: string,
  request: NotifyRequest,
): Promise<NotifyReport> {
  await requireRemoteRealm(app, { org_id: orgId, realm_uuid: request.realm_uuid });
  return await notifyDevices(app, request);
}

/**
 * Passes an organization's notifications on to the providers, without authorization. Deletes tokens that are
 * gone.
 */
export async function notifyDevices(
  app: DeliveringBouncer,
  { realm_uuid, push_requests }: NotifyRequest,
): Promise<NotifyReport> {
  const results = await Promise.all(push_requests.map(async (request) => ({
    id: request.token_id,
    result: await notifyOne(app, { realm_uuid, request }),
  })));
  const idsOf = (wanted: NotifyResult) =>
    results.filter(({ result }) => result === wanted).map(({ id }) => id);
  const [delivered, gone, failed] = [idsOf("delivered"), idsOf("gone"), idsOf("failed")];
  for (const token_id of gone) await deleteRegistration(app, { realm_uuid, token_id });
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
