import { AppError } from "@/lib/core/errors.ts";
import { findAccount, getAccount, noSuchUser } from "../accounts/get_account.ts";
import type { ChatApp } from "../app.ts";
import type { Caller } from "../users/caller.ts";
import { apiEmail } from "../users/email.ts";
import { isBot } from "../users/user.ts";
import { presenceKeys, type PresenceRecord } from "./presence.ts";
import { toPersonalPresence } from "./view.ts";

/**
 * When the person was there whom a path names by an id or address.
 * @throws AppError BAD_REQUEST where there is no such account, it is a bot's, or nothing is known.
 */
export async function getPresence(app: ChatApp, caller: Caller, name: string) {
  const find = app.config.canAccessAllUsersGroupLimitsPresence ? getAccount : findAccount;
  const user = await find(app, caller, name);
  if (!user.is_active) throw noSuchUser();
  if (isBot(user)) throw new AppError("BAD_REQUEST", "Presence is not supported for bot users.");
  const times = caller.realm.settings.presence_disabled
    ? null
    : await app.reads.read<PresenceRecord>(presenceKeys.presence(caller.realm.id, user.id));
  if (times === null) {
    const named = /^\d+$/.test(name) ? name : apiEmail(app, caller.realm, user);
    throw new AppError("BAD_REQUEST", `No presence data for ${named}`);
  }
  return { presence: toPersonalPresence({ user, times }, app.clock.now()) };
}
