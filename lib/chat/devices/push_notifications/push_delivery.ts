import { z } from "zod";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import {
  type DeliveringBouncer,
  notifyDevices,
  type NotifyReport,
  type PushRequest,
} from "@/lib/bouncer/notify.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { findRemoteBouncer, type RemoteBouncer } from "../devices.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";

/** Delivers notifications of an organization to its devices, through a bouncer. */
export interface PushDelivery {
  /** @throws Error if the bouncer fails. It may have accepted the notifications all the same. */
  deliver(realm: RealmRecord, requests: readonly PushRequest[]): Promise<NotifyReport>;
}

/** Timeout of a request to the bouncer, in milliseconds: longer than the bouncer waits for the providers. */
const ANSWER_MS = 12_000;

const notifyAnswerSchema = z.object({
  delivered: z.array(z.string()),
  gone: z.array(z.string()),
  failed: z.array(z.string()).default([]),
});

/** Creates the delivery through the remote bouncer, or the local one if none is configured. */
export function createPushDelivery(app: ChatApp, bouncer: DeliveringBouncer): PushDelivery {
  const remote = findRemoteBouncer(app);
  return {
    deliver: ({ uuid: realm_uuid }, requests) => {
      const request = { realm_uuid, push_requests: [...requests] };
      return remote === null ? notifyDevices(bouncer, request) : notifyRemote(remote, request);
    },
  };
}

async function notifyRemote(
  { api, authorization }: RemoteBouncer,
  { realm_uuid, push_requests }: { realm_uuid: string; push_requests: readonly PushRequest[] },
): Promise<NotifyReport> {
  const { status, body } = await fetchJson(`${api}/remotes/push/e2ee/notify`, {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ realm_uuid, push_requests: JSON.stringify(push_requests) }),
  }, ANSWER_MS);
  const parsed = notifyAnswerSchema.safeParse(status === 200 ? body : undefined);
  if (parsed.success) return parsed.data;
  throw new Error(`The bouncer answered ${status} ${getErrorCode(body)}`);
}

function getErrorCode(body: unknown): string {
  const code = typeof body === "object" && body !== null ? Reflect.get(body, "code") : undefined;
  return typeof code === "string" ? code.slice(0, 60) : "";
}
