import { AppError } from "@/lib/core/errors.ts";
import { equalSecrets, sha256, toHex } from "@/lib/core/bytes.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { newLinkToken } from "../confirmations/confirmation.ts";
import { realmKeys } from "../realm/realm.ts";

const KEY = ["setup"];

/** The token of a new one-time link to set the server up; null once there is an organization. Older links end. */
export async function makeSetupToken(app: Pick<ChatApp, "store">): Promise<string | null> {
  if (await hasRealm(app)) return null;
  const token = newLinkToken();
  const hash = toHex(await sha256(token));
  await transact(app.store, (tx) => Promise.resolve(tx.set(KEY, hash)));
  return token;
}

/** Whether a set-up link still opens. */
export async function isSetupToken(app: Pick<ChatApp, "store">, token: string): Promise<boolean> {
  if (await hasRealm(app)) return false;
  return await equalSecrets(await readRecord<string>(app.store.kv, KEY) ?? "", toHex(await sha256(token)));
}

/**
 * Uses a set-up link up, in the transaction that makes the organization: of two that race, one is refused.
 * @throws AppError GONE when it was used, replaced, or there is an organization already.
 */
export async function claimSetup(tx: Tx, token: string): Promise<void> {
  const hash = await tx.get<string>(KEY);
  const made = await tx.get<number>(["seq", "realm"]);
  if (made !== null || hash === null || !await equalSecrets(hash, toHex(await sha256(token)))) {
    throw new AppError("GONE", "That link is no longer valid.");
  }
  tx.delete(KEY);
}

async function hasRealm({ store }: Pick<ChatApp, "store">): Promise<boolean> {
  for await (const _ of store.kv.list({ prefix: [...realmKeys.realms] }, { limit: 1 })) return true;
  return false;
}
