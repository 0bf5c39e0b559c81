import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/send_events.ts";
import type { Caller } from "../users/model.ts";
import type { ProviderToken, StoredToken } from "./model.ts";
import { readProviderToken, type SealedToken, sealToken, tokenKey, tokenVersion } from "./store.ts";

/** Stores a user's token, sealed, and sends an event if the user had none. */
export async function saveProviderToken(app: ChatApp, caller: Caller, token: ProviderToken): Promise<void> {
  await changeToken(app, caller, { token, canReplace: () => true });
}

/**
 * Replaces the token that a new one was issued for, or deletes it if `token` is null. Keeps a different token
 * that was stored meanwhile. Returns the token that is stored afterwards.
 */
export async function replaceProviderToken(
  app: ChatApp,
  caller: Caller,
  { held, token }: { held: StoredToken; token: ProviderToken | null },
): Promise<StoredToken | null> {
  const canReplace = (sealed: SealedToken | null) => sealed === null || tokenVersion(sealed) === held.version;
  await changeToken(app, caller, { token, canReplace });
  return await readProviderToken(app, caller);
}

async function changeToken(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { token, canReplace }: {
    token: ProviderToken | null;
    canReplace: (current: SealedToken | null) => boolean;
  },
): Promise<void> {
  const sealed = token === null ? null : await sealToken(app, token);
  const key = tokenKey(realm.id, actingUser.id);
  await transact(app.store, async (tx) => {
    const before = await tx.get<SealedToken>(key);
    if (!canReplace(before)) return;
    if (sealed === null) tx.delete(key);
    else tx.set(key, sealed);
    if ((before !== null) === (sealed !== null)) return;
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "has_videoprovider_token", value: sealed !== null },
      audience: [actingUser.id],
    });
  });
}
