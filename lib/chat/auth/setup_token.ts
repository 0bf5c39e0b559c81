import { AppError } from "@/lib/core/errors.ts";
import { equalSecrets, sha256, toHex } from "@/lib/core/bytes.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { generateLinkToken } from "./confirmations.ts";
import { realmKeys } from "../organizations/model.ts";

const KEY = ["setup"];

/**
 * Creates the token of a one-time link to set up the server, which replaces older links; null if an
 * organization exists.
 */
export async function createSetupToken(app: Pick<ChatApp, "store">): Promise<string | null> {
  if (await hasRealm(app)) return null;
  const token = generateLinkToken();
  const hash = toHex(await sha256(token));
  await transact(app.store, (tx) => Promise.resolve(tx.set(KEY, hash)));
  return token;
}

/** Returns whether a setup token is valid. */
export async function isValidSetupToken(app: Pick<ChatApp, "store">, token: string): Promise<boolean> {
  if (await hasRealm(app)) return false;
  return await equalSecrets(await readRecord<string>(app.store.kv, KEY) ?? "", toHex(await sha256(token)));
}

/**
 * Consumes a setup token in the transaction that creates the organization, so only one of two concurrent uses
 * succeeds.
 * @throws AppError GONE when it was used or replaced, or an organization exists.
 */
export async function consumeSetupToken(tx: Tx, token: string): Promise<void> {
  const hash = await tx.get<string>(KEY);
  const made = await tx.get<number>(["seq", "realm"]);
  if (made !== null || hash === null || !await equalSecrets(hash, toHex(await sha256(token)))) {
    throw new AppError("GONE", "The link is no longer valid.");
  }
  tx.delete(KEY);
}

/** Whether the server has an organization. */
export async function hasRealm({ store }: Pick<ChatApp, "store">): Promise<boolean> {
  for await (const _ of store.kv.list({ prefix: [...realmKeys.realms] }, { limit: 1 })) return true;
  return false;
}
