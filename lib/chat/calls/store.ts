import { z } from "zod";
import { createSealer } from "@/lib/core/seal.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/model.ts";
import type { ProviderToken, StoredToken } from "./model.ts";

const storedTokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  expires_at: z.number().nullable(),
});

/** A sealed token. */
export type SealedToken = Uint8Array<ArrayBuffer>;

/** Key of a user's token in the store. */
export function tokenKey(realmId: number, userId: number): Key {
  return [realmId, "call_token", userId];
}

/** Returns whether a user has authorized this server at the video call provider. */
export async function hasProviderToken(app: ChatApp, realmId: number, userId: number): Promise<boolean> {
  return await app.reads.read(tokenKey(realmId, userId)) !== null;
}

/** Reads a user's token; null if there is none. */
export async function readProviderToken(
  app: ChatApp,
  { realm, actingUser }: Caller,
): Promise<StoredToken | null> {
  const sealed = await app.reads.read<SealedToken>(tokenKey(realm.id, actingUser.id));
  if (sealed === null) return null;
  const text = await createTokenSealer(app).open(sealed);
  return {
    token: text === null ? null : storedTokenSchema.parse(JSON.parse(text)),
    version: tokenVersion(sealed),
  };
}

/** Encrypts a token for the store. */
export async function sealToken(app: ChatApp, token: ProviderToken): Promise<SealedToken> {
  return await createTokenSealer(app).seal(JSON.stringify(token));
}

/** Returns the version of a sealed token, which is unique because sealing uses a fresh nonce. */
export function tokenVersion(sealed: SealedToken): string {
  return sealed.toBase64();
}

function createTokenSealer({ secretKey }: ChatApp) {
  return createSealer(secretKey, "video call tokens");
}
