import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "@/lib/chat/app.ts";
import { canAccessUser } from "@/lib/chat/permissions/model/membership.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { findKnownUser } from "@/lib/chat/users/list_users.ts";
import type { Caller, UserRecord } from "@/lib/chat/users/model.ts";
import { MAX_PARTICIPANTS, messageKeys } from "../model.ts";

/**
 * Returns the users to whom a sender writes, given by ids and addresses: users whom the sender can access, or
 * the participants of a conversation that the sender has already.
 * @throws AppError BAD_REQUEST for too many users and for the first other name, which may be of no user.
 */
export async function resolveRecipients(
  app: ChatApp,
  sender: Caller,
  named: readonly (number | string)[],
): Promise<readonly UserRecord[]> {
  const names = [...new Set(named)];
  if (names.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  const permissions = await peekPermissionContext(app, sender.realm);
  const found = await Promise.all(names.map((name) => findKnownUser(app, sender, name)));
  const users = found.filter((user) => user !== null);
  const refused = found.findIndex((user) =>
    user === null || !canAccessUser(permissions, sender.actingUser, user)
  );
  const isContinued = refused >= 0 && users.length === names.length &&
    await hasConversation(app, sender, users);
  if (refused < 0 || isContinued) return users;
  const name = names[refused];
  throw new AppError(
    "BAD_REQUEST",
    typeof name === "number" ? `Invalid user ID ${name}` : `Invalid email '${name}'`,
  );
}

async function hasConversation(
  { reads }: ChatApp,
  { realm, actingUser }: Caller,
  users: readonly UserRecord[],
): Promise<boolean> {
  const ids = [...new Set([actingUser.id, ...users.map(({ id }) => id)])].sort((one, other) => one - other);
  return await reads.read(messageKeys.conversationOf(realm.id, ids)) !== null;
}

/** Returns the error for more participants of a conversation than are allowed. */
export function tooManyParticipants(): AppError {
  return new AppError("BAD_REQUEST", `A direct message goes to ${MAX_PARTICIPANTS} people at most.`);
}
