import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import { registerPush, type RegistrationRequest } from "@/lib/bouncer/registration.ts";
import { admitLocalRealm, LOCAL_ORG_ID } from "@/lib/bouncer/remote_server.ts";
import type { ChatApp } from "../app.ts";
import { findRemoteBouncer, type PushErrorCode, type RemoteBouncer } from "./model.ts";
import type { RegistrationOutcome } from "./registration_queue.ts";

/** A bouncer's answer, with a reason for the log if the registration has to be retried. */
export interface BouncerAnswer {
  readonly outcome: RegistrationOutcome;
  readonly reason?: string;
}

/** Error codes that a retry would not change. */
const FINAL_CODES = new Set<unknown>(
  ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"] satisfies PushErrorCode[],
);

/**
 * Registers a device at the remote bouncer, or locally if none is configured and this server is a bouncer.
 */
export async function registerWithBouncer(
  app: ChatApp,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const bouncer = findRemoteBouncer(app);
  try {
    if (bouncer !== null) return await registerWithRemote(bouncer, request);
  } catch (error) {
    return retryLater(`it cannot be reached: ${error instanceof Error ? error.name : "unknown"}`);
  }
  const isBouncer = app.config.pushBouncerKeys.length > 0;
  return isBouncer ? await registerLocally(app, request) : retryLater("none is configured");
}

async function registerWithRemote(
  { api, authorization }: RemoteBouncer,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const { status, body } = await fetchJson(`${api}/remotes/push/e2ee/register`, {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ ...request }),
  });
  if (status === 200 && getField(body, "result") === "success") return { outcome: "accepted" };
  const code = getField(body, "code");
  if (status === 400 && isFinalCode(code)) return { outcome: code };
  return retryLater(
    typeof code === "string" ? `it answered ${status} ${code.slice(0, 60)}` : `it answered ${status}`,
  );
}

async function registerLocally(
  { store, clock, secretKey, config }: ChatApp,
  request: RegistrationRequest,
): Promise<BouncerAnswer> {
  const bouncer = { store, clock, secretKey, keys: config.pushBouncerKeys };
  try {
    await admitLocalRealm(bouncer, request.realm_uuid);
    await registerPush(bouncer, LOCAL_ORG_ID, request);
    return { outcome: "accepted" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isFinalCode(error.code) ? { outcome: error.code } : retryLater(`it answered ${error.code}`);
  }
}

function retryLater(reason: string): BouncerAnswer {
  return { outcome: "later", reason };
}

function isFinalCode(code: unknown): code is PushErrorCode {
  return FINAL_CODES.has(code);
}

function getField(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}
