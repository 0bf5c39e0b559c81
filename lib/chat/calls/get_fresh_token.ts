import type { ChatApp, VideoProvider } from "../app.ts";
import type { Caller } from "../users/model.ts";
import { callFailed, type StoredToken } from "./model.ts";
import { requestToken } from "./request_token.ts";
import { replaceProviderToken } from "./save_token.ts";
import { readProviderToken } from "./store.ts";

/** A token that expires within this many milliseconds is refreshed first. */
const EXPIRY_MARGIN_MS = 60_000;
/** Number of reads of the store while another server may be storing a newer token. */
const POLL_ATTEMPTS = 10;
/** Pause between two reads, in milliseconds. */
const POLL_INTERVAL_MS = 50;

/**
 * Returns the caller's token, refreshed if it is about to expire; concurrent calls share one refresh. Returns
 * null if there is none; one that the provider refuses to refresh is deleted.
 * @throws AppError BAD_REQUEST if the provider fails.
 */
export async function getFreshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<StoredToken | null> {
  const held = await readProviderToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const { realm, actingUser } = caller;
  const name = `call token ${realm.id} ${actingUser.id}`;
  return await app.store.queues.share(name, () => refreshToken(app, provider, caller));
}

/** Returns whether a token needs no refresh; one that cannot be decrypted cannot be refreshed either. */
function isFresh({ clock }: ChatApp, { token }: StoredToken): boolean {
  return token === null || token.expires_at === null || token.expires_at - EXPIRY_MARGIN_MS > clock.now();
}

async function refreshToken(
  app: ChatApp,
  provider: VideoProvider,
  caller: Caller,
): Promise<StoredToken | null> {
  // The token may have been refreshed since the first read.
  const held = await readProviderToken(app, caller);
  if (held === null || isFresh(app, held)) return held;
  const refreshToken = held.token?.refresh_token || null;
  if (refreshToken === null) return await replaceProviderToken(app, caller, { held, token: null });
  const { token, isRejected } = await requestToken(app, provider, { refreshToken });
  if (token !== null) return await replaceProviderToken(app, caller, { held, token });
  if (!isRejected) throw callFailed(provider);
  return await waitForNewerToken(app, caller, held) ??
    await replaceProviderToken(app, caller, { held, token: null });
}

/**
 * Waits for the token that another server obtained with the same refresh token; returns null if there is
 * none.
 */
async function waitForNewerToken(
  app: ChatApp,
  caller: Caller,
  held: StoredToken,
): Promise<StoredToken | null> {
  for (let attempt = 0; attempt < POLL_ATTEMPTS; attempt++) {
    const stored = await readProviderToken(app, caller);
    if (stored !== null && stored.version !== held.version) return stored;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  return null;
}
