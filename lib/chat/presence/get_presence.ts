import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { getAccessibleUser } from "../users/list_users.ts";
import { type Caller, isBot, noSuchUser, toApiEmail } from "../users/model.ts";
import { presenceKeys, type PresenceRecord, toSinglePresence } from "./model.ts";

/**
 * Returns the presence of a user, given by id or email address.
 * @throws AppError BAD_REQUEST for an unknown or inaccessible user, a bot, and a user without presence.
 */
export async function getPresence(app: ChatApp, caller: Caller, idOrEmail: string) {
  const user = await getAccessibleUser(app, caller, idOrEmail);
  if (!user.is_active) throw noSuchUser();
  if (isBot(user)) throw new AppError("BAD_REQUEST", "Presence is not supported for bot users.");
  const times = caller.realm.settings.presence_disabled
    ? null
    : await app.reads.read<PresenceRecord>(presenceKeys.presence(caller.realm.id, user.id));
  if (times === null) {
    const shownName = /^\d+$/.test(idOrEmail) ? idOrEmail : toApiEmail(app, caller.realm, user);
    throw new AppError("BAD_REQUEST", `No presence data for ${shownName}`);
  }
  return { presence: toSinglePresence({ user, times }, app.clock.now()) };
}
