import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { apiKeyOf } from "../users/api_key.ts";
import { getUser, putUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";

/**
 * Gives an account another key; the one before is worth nothing from then on. Its holder and, for a bot, its owner are
 * told that it changed, never what it is.
 * @throws AppError INVALID_API_KEY when the caller's key was replaced meanwhile.
 */
export async function regenerateApiKey(
  app: ChatApp,
  realmId: number,
  actingUser: UserRecord,
): Promise<{ api_key: string }> {
  return await transact(app.store, async (tx) => {
    const before = await getUser(tx, realmId, actingUser.id);
    if (before.key_generation !== actingUser.key_generation) {
      throw new AppError("INVALID_API_KEY", "Invalid API key");
    }
    const user = { ...before, key_generation: before.key_generation + 1 };
    await putUser(tx, realmId, user);
    sendEvent(tx, { realmId, now: app.clock.now() }, {
      event: { type: "api_key", op: "regenerate", user_id: user.id },
      audience: user.bot_owner_id === null ? [user.id] : [user.id, user.bot_owner_id],
    });
    return { api_key: apiKeyOf(app, realmId, user) };
  });
}
