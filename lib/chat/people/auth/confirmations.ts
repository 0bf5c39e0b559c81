import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { realmKeys, type RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { EventContext } from "@/lib/chat/organization/events/send_events.ts";
import { equalSecrets, sha256, toBase32, toHex } from "@/lib/core/bytes.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type Key, readRecord } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";

/** Purpose of a link: mailed ones, and sign-in links, which administrators pass on. */
type ConfirmationKind = "email_change" | "password_reset" | "sign_in";

/** The user and email address that a link confirms. */
export interface Confirmation {
  readonly kind: ConfirmationKind;
  readonly user_id: number;
  readonly email: string;
  /** The account's session epoch when the link was created; a link ends when the password changes. */
  readonly session_epoch: number;
  /** Administrator who made a sign-in link. */
  readonly made_by?: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/** Returns a new random token for a link: 32 letters and digits, 160 bits. */
export function generateLinkToken(): string {
  return toBase32(crypto.getRandomValues(new Uint8Array(20)));
}

/** Stores a confirmation under the hash of its token. */
export async function createConfirmation(
  { app, tx, realm }: EventContext,
  token: string,
  confirmation: Confirmation,
): Promise<void> {
  const expireIn = confirmation.expires_at - app.clock.now();
  tx.set(await confirmationKey(realm.id, token), confirmation, { expireIn });
}

/** Stores the confirmation of a sign-in link, which replaces the user's older one. */
export async function replaceSignInLink(
  context: EventContext,
  token: string,
  confirmation: Confirmation,
): Promise<void> {
  const { app, tx, realm } = context;
  const { user_id, expires_at } = confirmation;
  const key: Key = [realm.id, "sign_in_link", user_id];
  const former = await tx.get<SignInLinkRecord>(key);
  if (former !== null) tx.delete(toConfirmationKey(realm.id, former.token_hash));
  const record: SignInLinkRecord = { token_hash: toHex(await sha256(token)), expires_at };
  tx.set(key, record, { expireIn: expires_at - app.clock.now() });
  await createConfirmation(context, token, confirmation);
}

interface SignInLinkRecord {
  readonly token_hash: string;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

/** Deletes and returns the confirmation of a token; null if it does not exist or has expired. */
export async function consumeConfirmation(
  { app, tx, realm }: EventContext,
  token: string,
  kinds: readonly ConfirmationKind[],
): Promise<Confirmation | null> {
  const key = await confirmationKey(realm.id, token);
  const found = await tx.get<Confirmation>(key);
  if (found === null || !kinds.includes(found.kind)) return null;
  tx.delete(key);
  return found.expires_at > app.clock.now() ? found : null;
}

/** Reads the confirmation of a token without deleting it; null if it does not exist or has expired. */
export async function peekConfirmation(
  app: ChatApp,
  { realm, token }: { realm: RealmRecord; token: string },
  kinds: readonly ConfirmationKind[],
): Promise<Confirmation | null> {
  const found = await app.reads.read<Confirmation>(await confirmationKey(realm.id, token));
  return found !== null && kinds.includes(found.kind) && found.expires_at > app.clock.now() ? found : null;
}

async function confirmationKey(realmId: number, token: string): Promise<Key> {
  return toConfirmationKey(realmId, toHex(await sha256(token)));
}

function toConfirmationKey(realmId: number, tokenHash: string): Key {
  return [realmId, "confirmation", tokenHash];
}

const KEY = ["setup"];

/** Creates the token of a one-time setup link, which replaces older ones; null if an organization exists. */
export async function createSetupToken(app: Pick<ChatApp, "store">): Promise<string | null> {
  if (await hasRealm(app)) return null;
  const token = generateLinkToken();
  const hash = toHex(await sha256(token));
  await transact(app.store, (tx) => Promise.resolve(tx.set(KEY, hash)));
  return token;
}

export async function isValidSetupToken(app: Pick<ChatApp, "store">, token: string): Promise<boolean> {
  if (await hasRealm(app)) return false;
  return await equalSecrets(await readRecord<string>(app.store.kv, KEY) ?? "", toHex(await sha256(token)));
}

/**
 * Consumes a setup token in the commit that creates the organization: two uses cannot both succeed.
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

export async function hasRealm({ store }: Pick<ChatApp, "store">): Promise<boolean> {
  for await (const _ of store.kv.list({ prefix: [...realmKeys.realms] }, { limit: 1 })) return true;
  return false;
}
