import { z } from "zod";
import { createSealer } from "@/lib/core/seal.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";

/** What a provider lets an account do in its name. */
export interface ProviderToken {
  readonly access_token: string;
  readonly refresh_token: string | null;
  /** Milliseconds since 1970 UTC; null where the provider says nothing. */
  readonly expires_at: number | null;
}

const stored = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  expires_at: z.number().nullable(),
});

/** Whether an account has let this server make calls in its name. */
export async function hasToken(app: ChatApp, realmId: number, userId: number): Promise<boolean> {
  return await app.reads.read(keyOf(realmId, userId)) !== null;
}

/** A token as it is stored. */
export interface StoredToken {
  /** Null where the server's key is another one by now. */
  readonly token: ProviderToken | null;
  /** Tells it from every token that is stored before or after it. */
  readonly version: string;
}

/** An account's token; null where there is none. */
export async function readToken(app: ChatApp, { realm, actingUser }: Caller): Promise<StoredToken | null> {
  const sealed = await app.reads.read<Sealed>(keyOf(realm.id, actingUser.id));
  if (sealed === null) return null;
  const text = await sealerOf(app).open(sealed);
  return { token: text === null ? null : stored.parse(JSON.parse(text)), version: versionOf(sealed) };
}

/** Keeps a token, sealed, and tells its account. */
export async function putToken(app: ChatApp, caller: Caller, token: ProviderToken): Promise<void> {
  await change(app, caller, { token, isFor: () => true });
}

/**
 * Keeps a token in place of the one that it was given for, be that forgotten or not; null forgets that one. A token that
 * somebody else has stored since then stays. Gives the one that is stored now.
 */
export async function replaceToken(
  app: ChatApp,
  caller: Caller,
  { held, token }: { held: StoredToken; token: ProviderToken | null },
): Promise<StoredToken | null> {
  const isFor = (sealed: Sealed | null) => sealed === null || versionOf(sealed) === held.version;
  await change(app, caller, { token, isFor });
  return await readToken(app, caller);
}

type Sealed = Uint8Array<ArrayBuffer>;

async function change(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { token, isFor }: { token: ProviderToken | null; isFor: (sealed: Sealed | null) => boolean },
): Promise<void> {
  const sealed = token === null ? null : await sealerOf(app).seal(JSON.stringify(token));
  const key = keyOf(realm.id, actingUser.id);
  await transact(app.store, async (tx) => {
    const before = await tx.get<Sealed>(key);
    if (!isFor(before)) return;
    if (sealed === null) tx.delete(key);
    else tx.set(key, sealed);
    if ((before !== null) === (sealed !== null)) return;
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "has_videoprovider_token", value: sealed !== null },
      audience: [actingUser.id],
    });
  });
}

/** Whatever is sealed is sealed with a number that is used once. */
function versionOf(sealed: Sealed): string {
  return sealed.toBase64();
}

function sealerOf({ secretKey }: ChatApp) {
  return createSealer(secretKey, "video call tokens");
}

function keyOf(realmId: number, userId: number): Key {
  return [realmId, "call_token", userId];
}
