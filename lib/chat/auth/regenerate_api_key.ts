import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import { getActingUser, putUser } from "../users/store.ts";
import { deriveApiKey } from "./model.ts";
import type { AccessContext } from "./sessions.ts";

/**
 * Replaces the caller's API key and returns the new one; the old one stops working.
 * @throws AppError INVALID_API_KEY when the caller's key was replaced in the meantime.
 */
export async function regenerateApiKey(
  app: ChatApp,
  realmId: number,
  actingUser: UserRecord,
): Promise<{ api_key: string }> {
  return await transact(app.store, async (tx) => {
    const before = await getActingUser(tx, realmId, actingUser);
    if (before.key_generation !== actingUser.key_generation) {
      throw new AppError("INVALID_API_KEY", "Invalid API key");
    }
    const user = await rotateApiKey({ app, tx, realmId }, before);
    return { api_key: deriveApiKey(app, realmId, user) };
  });
}

/**
 * Replaces an account's API key and sends an event without the key to the account and, for a bot, its owner.
 */
export async function rotateApiKey(
  { app, tx, realmId }: AccessContext,
  user: UserRecord,
): Promise<UserRecord> {
  const changed = { ...user, key_generation: user.key_generation + 1 };
  await putUser(tx, realmId, changed);
  sendEvent(tx, { realmId, now: app.clock.now() }, {
    event: { type: "api_key", op: "regenerate", user_id: user.id },
    audience: user.bot_owner_id === null ? [user.id] : [user.id, user.bot_owner_id],
  });
  return changed;
}
