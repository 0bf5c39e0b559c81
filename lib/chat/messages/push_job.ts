import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";

/** A message of which devices are to be told, until it is known which. */
export interface PushMessageJob {
  /** The last account that was seen to; 0 for none. */
  readonly after: number;
}

/** Where it lies in the store what devices are to be told of. */
export const pushJobKeys = {
  /** How many devices of an organization have a token and a key: 0, or missing, saves every look for them. */
  reachable: (realmId: number): Key => [realmId, "push_devices"],
  /** Messages of which devices are to be told, by when that is due in milliseconds since 1970 UTC. */
  messages: ["push_message"],
  message: (due: number, realmId: number, messageId: number): Key => [
    "push_message",
    due,
    realmId,
    messageId,
  ],
} as const;

/** Whether any device of an organization can be told of messages. */
export async function hasDevices({ reads }: Pick<ChatApp, "reads">, realmId: number): Promise<boolean> {
  return (await reads.read<number>(pushJobKeys.reachable(realmId)) ?? 0) > 0;
}

/**
 * Notes with a message's own commit that devices are to be told of it. Events cannot be followed for that: their keys
 * have times at which commits began, so that one may come in before another that was passed already.
 */
export function notePushJob(
  tx: Tx,
  { realmId, messageId, now }: { realmId: number; messageId: number; now: number },
): void {
  tx.set(pushJobKeys.message(now, realmId, messageId), { after: 0 } satisfies PushMessageJob);
}
