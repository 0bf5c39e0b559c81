import { registerPush, type SentRegistration } from "@/lib/bouncer/registration.ts";
import { admitLocalRealm, LOCAL_ORG_ID } from "@/lib/bouncer/remote_server.ts";
import { AppError } from "@/lib/core/errors.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ChatApp } from "../app.ts";
import type { PushErrorCode } from "./device.ts";
import type { Outcome } from "./registration_queue.ts";
import { type RemoteBouncer, remoteBouncer } from "./remote_bouncer.ts";

/** What a bouncer answered, with words for the log where it has to be asked again. */
export interface Answer {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** Refusals that asking again would not change. */
const FINAL = new Set<unknown>(
  ["INVALID_BOUNCER_PUBLIC_KEY", "BAD_REQUEST", "REQUEST_EXPIRED"] satisfies PushErrorCode[],
);

/** Asks the bouncer to register a device: another server, or this one where it is a bouncer and knows no other. */
export async function askBouncer(app: ChatApp, sent: SentRegistration): Promise<Answer> {
  const bouncer = remoteBouncer(app);
  try {
    if (bouncer !== null) return await askRemote(bouncer, sent);
  } catch (error) {
    return later(`it cannot be reached: ${error instanceof Error ? error.name : "unknown"}`);
  }
  return app.config.pushBouncerKeys.length > 0 ? await askLocal(app, sent) : later("none is configured");
}

async function askRemote({ api, authorization }: RemoteBouncer, sent: SentRegistration): Promise<Answer> {
  const { status, body } = await fetchJson(`${api}/remotes/push/e2ee/register`, {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ ...sent }),
  });
  if (status === 200 && member(body, "result") === "success") return { outcome: "accepted" };
  const code = member(body, "code");
  if (status === 400 && isFinal(code)) return { outcome: code };
  return later(
    typeof code === "string" ? `it answered ${status} ${code.slice(0, 60)}` : `it answered ${status}`,
  );
}

async function askLocal(
  { store, clock, secretKey, config }: ChatApp,
  sent: SentRegistration,
): Promise<Answer> {
  const bouncer = { store, clock, secretKey, keys: config.pushBouncerKeys };
  try {
    await admitLocalRealm(bouncer, sent.realm_uuid);
    await registerPush(bouncer, LOCAL_ORG_ID, sent);
    return { outcome: "accepted" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isFinal(error.code) ? { outcome: error.code } : later(`it answered ${error.code}`);
  }
}

function later(reason: string): Answer {
  return { outcome: "later", reason };
}

function isFinal(code: unknown): code is PushErrorCode {
  return FINAL.has(code);
}

function member(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}
