import { z } from "zod";
import { createSealer } from "@/lib/core/seal.ts";
import type { Key } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { emit } from "../events/emit.ts";
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

/** An account's token; null where there is none, or the server's key is another one by now. */
export async function readToken(app: ChatApp, { realm, actingUser }: Caller): Promise<ProviderToken | null> {
  const sealed = await app.reads.read<Uint8Array<ArrayBuffer>>(keyOf(realm.id, actingUser.id));
  const text = sealed === null ? null : await sealerOf(app).open(sealed);
  return text === null ? null : stored.parse(JSON.parse(text));
}

/** Keeps a token, sealed, and tells its account; null takes it away. */
export async function putToken(
  app: ChatApp,
  { realm, actingUser }: Caller,
  token: ProviderToken | null,
): Promise<void> {
  const sealed = token === null ? null : await sealerOf(app).seal(JSON.stringify(token));
  const key = keyOf(realm.id, actingUser.id);
  await transact(app.store, async (tx) => {
    const had = await tx.get(key) !== null;
    if (sealed === null) tx.delete(key);
    else tx.set(key, sealed);
    if (had === (sealed !== null)) return;
    emit(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "has_videoprovider_token", value: sealed !== null },
      audience: [actingUser.id],
    });
  });
}

function sealerOf({ secretKey }: ChatApp) {
  return createSealer(secretKey, "video call tokens");
}

function keyOf(realmId: number, userId: number): Key {
  return [realmId, "call_token", userId];
}
