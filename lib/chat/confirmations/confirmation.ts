import { sha256, toHex } from "@/lib/core/bytes.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";

/** What a link from a mail is for. */
export type ConfirmationKind = "email_change" | "password_reset";

/** What the holder of a link may do: whose account it is about, and the address that it is about. */
export interface Confirmation {
  readonly kind: ConfirmationKind;
  readonly user_id: number;
  readonly email: string;
  /** The account's session epoch when the link was made: a link dies with the password that it was made under. */
  readonly session_epoch: number;
  /** Milliseconds since 1970 UTC. */
  readonly expires_at: number;
}

const TOKEN_BYTES = 20;
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** A new secret for a link: 32 letters and digits, 160 random bits. */
export function newLinkToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  let token = "";
  for (let at = 0; at < TOKEN_BYTES * 8 / 5; at++) {
    token += BASE32[Number(bits & 31n)] ?? "";
    bits >>= 5n;
  }
  return token;
}

/** Keeps what a link allows; of its token only the hash is stored. */
export async function keepConfirmation(
  tx: Tx,
  { realmId, token, now }: { realmId: number; token: string; now: number },
  confirmation: Confirmation,
): Promise<void> {
  tx.set(await keyOf(realmId, token), confirmation, { expireIn: confirmation.expires_at - now });
}

/** What a link allows, which then is used up; null when it was never made, has expired or was used. */
export async function takeConfirmation(
  tx: Tx,
  { realmId, token, now }: { realmId: number; token: string; now: number },
  kind: ConfirmationKind,
): Promise<Confirmation | null> {
  const key = await keyOf(realmId, token);
  const found = await tx.get<Confirmation>(key);
  if (found === null || found.kind !== kind) return null;
  tx.delete(key);
  return found.expires_at > now ? found : null;
}

/** What a link allows, without using it up. */
export async function peekConfirmation(
  app: ChatApp,
  { realmId, token }: { realmId: number; token: string },
  kind: ConfirmationKind,
): Promise<Confirmation | null> {
  const found = await app.reads.read<Confirmation>(await keyOf(realmId, token));
  return found !== null && found.kind === kind && found.expires_at > app.clock.now() ? found : null;
}

async function keyOf(realmId: number, token: string): Promise<Key> {
  return [realmId, "confirmation", toHex(await sha256(token))];
}
