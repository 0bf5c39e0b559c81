import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp, VideoProvider } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { askForToken } from "./oauth.ts";
import { readToken, replaceToken, type StoredToken } from "./provider_token.ts";

/** A token that ends within so many milliseconds is renewed first. */
const SPARE_MS = 60_000;
/** How often, and after how many milliseconds each, it is looked whether another server has stored a newer token. */
const LOOKS = 10;
const LOOK_EVERY_MS = 50;

/**
 * A token that still holds, renewed where it is about to end: once, however many ask at the same time. Null where there
 * is none, or the provider gives none: then it is forgotten.
 * @throws AppError BAD_REQUEST where the provider fails.
 */
export async function freshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<StoredToken | null> {
  const held = await readToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const { realm, actingUser } = caller;
  const name = `call token ${realm.id} ${actingUser.id}`;
  return await app.store.queues.share(name, () => renew(app, provider, caller));
}

/** That the provider made no call, be it that it did not renew a token. */
export function callFailed({ name }: VideoProvider): AppError {
  return new AppError("BAD_REQUEST", `Failed to create ${name} call`);
}

/** One that cannot be read is not to be renewed either. */
function isFresh({ clock }: ChatApp, { token }: StoredToken): boolean {
  return token === null || token.expires_at === null || token.expires_at - SPARE_MS > clock.now();
}

async function renew(app: ChatApp, provider: VideoProvider, caller: Caller): Promise<StoredToken | null> {
  // It may have been renewed between the first look and this one.
  const held = await readToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const refresh_token = held.token?.refresh_token ?? null;
  if (refresh_token === null) return await replaceToken(app, caller, { held, token: null });
  const grant = { grant_type: "refresh_token", refresh_token };
  const { token, isRefused } = await askForToken(app, provider, grant);
  if (token !== null) return await replaceToken(app, caller, { held, token });
  if (!isRefused) throw callFailed(provider);
  return await awaitNewer(app, caller, held) ?? await replaceToken(app, caller, { held, token: null });
}

/** The token that another server was given for the same one, which it may be about to store; null where there is none. */
async function awaitNewer(app: ChatApp, caller: Caller, held: StoredToken): Promise<StoredToken | null> {
  for (let look = 0; look < LOOKS; look++) {
    const stored = await readToken(app, caller);
    if (stored !== null && stored.version !== held.version) return stored;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return null;
}
