import { z } from "zod";
import {
  type DeliveringBouncer,
  type NotifyAnswer,
  notifyDevices,
  type PushRequest,
} from "@/lib/bouncer/notify.ts";
import { fetchJson } from "@/lib/core/fetch_json.ts";
import type { ChatApp } from "../app.ts";
import { type RemoteBouncer, remoteBouncer } from "../devices/remote_bouncer.ts";
import type { RealmRecord } from "../realm/realm.ts";

/** Takes notifications of an organization to whoever hands them on to its devices. */
export interface PushDelivery {
  /** @throws Error when nobody takes them; they may have been taken all the same. */
  take(realm: RealmRecord, requests: readonly PushRequest[]): Promise<NotifyAnswer>;
}

/** Milliseconds in which a bouncer must answer: longer than it waits for the providers. */
const ANSWER_MS = 12_000;

const answered = z.object({
  delivered: z.array(z.string()),
  gone: z.array(z.string()),
  failed: z.array(z.string()).default([]),
});

/** Takes them to the bouncer that this server is to use, or hands them on itself where it is one and knows no other. */
export function createPushDelivery(app: ChatApp, bouncer: DeliveringBouncer): PushDelivery {
  const remote = remoteBouncer(app);
  return {
    take: ({ uuid: realm_uuid }, requests) => {
      const notifying = { realm_uuid, push_requests: [...requests] };
      return remote === null ? notifyDevices(bouncer, notifying) : askRemote(remote, notifying);
    },
  };
}

async function askRemote(
  { api, authorization }: RemoteBouncer,
  { realm_uuid, push_requests }: { realm_uuid: string; push_requests: readonly PushRequest[] },
): Promise<NotifyAnswer> {
  const { status, body } = await fetchJson(`${api}/remotes/push/e2ee/notify`, {
    method: "POST",
    headers: { authorization, accept: "application/json" },
    body: new URLSearchParams({ realm_uuid, push_requests: JSON.stringify(push_requests) }),
  }, ANSWER_MS);
  const parsed = answered.safeParse(status === 200 ? body : undefined);
  if (parsed.success) return parsed.data;
  throw new Error(`The bouncer answered ${status} ${codeOf(body)}`);
}

function codeOf(body: unknown): string {
  const code = typeof body === "object" && body !== null ? Reflect.get(body, "code") : undefined;
  return typeof code === "string" ? code.slice(0, 60) : "";
}
