import { AppError } from "@/lib/core/errors.ts";
import {
  type ChangeContext,
  EMAIL_VISIBILITY,
  isBot,
  isOwner,
  type Role,
  toApiEmail,
  type UserRecord,
} from "./model.ts";
import { readBotIds } from "../bots/store.ts";
import { getUser, isLastOwner, putUser } from "./store.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "./events.ts";
import { sendBotEvents, sendBotOwnerEvents } from "../bots/events.ts";
import { sendRoleEvents } from "./role_events.ts";
import { sendActivationEvents } from "./activation_events.ts";
import { sendEvent } from "../events/send_events.ts";

/**
 * Sets a user's role, and lowers the role of the bots they own to at most the same role.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function setUserRole(context: ChangeContext, user: UserRecord, role: Role): Promise<UserRecord> {
  if (user.role === role) return user;
  const { tx, realm } = context;
  if (isOwner(user) && await isLastOwner(tx, realm.id, user)) {
    throw new AppError(
      "BAD_REQUEST",
      "The owner permission cannot be removed from the only organization owner.",
      { field: "role" },
    );
  }
  const botsAbove = (await readOwnedBots(context, user)).filter((bot) => bot.role < role);
  const changed = await putRole(context, user, role);
  const changes = [{ before: user, after: changed }];
  for (const bot of botsAbove) changes.push({ before: bot, after: await putRole(context, bot, role) });
  await sendRoleEvents(context, changes);
  return changed;
}

async function putRole({ app, tx, realm }: ChangeContext, user: UserRecord, role: Role): Promise<UserRecord> {
  const changed = { ...user, role };
  await putUser(tx, realm.id, changed);
  sendUserEvent(
    tx,
    { realm, user: changed, now: app.clock.now() },
    toUpdateEvent({ user_id: user.id, role }),
  );
  return changed;
}

/** Sets a user's full name, which the caller has validated. */
export async function setUserFullName(
  context: ChangeContext,
  user: UserRecord,
  fullName: string,
): Promise<UserRecord> {
  if (user.full_name === fullName) return user;
  const { app, tx, realm } = context;
  const changed = { ...user, full_name: fullName };
  await putUser(tx, realm.id, changed);
  const renamed = { user_id: user.id, full_name: fullName };
  sendUserEvent(tx, { realm, user: changed, now: app.clock.now() }, toUpdateEvent(renamed));
  if (isBot(user)) await sendBotEvents(context, changed, { op: "update", bot: renamed });
  return changed;
}

/**
 * Sets a human's email address, which the caller has validated. Ends the account's sessions and the links
 * mailed to the old address.
 * @throws AppError BAD_REQUEST when the address is taken, and for bots.
 */
export async function setUserEmail(
  context: ChangeContext,
  user: UserRecord,
  email: string,
): Promise<UserRecord> {
  if (user.delivery_email === email) return user;
  if (isBot(user)) {
    throw new AppError("BAD_REQUEST", "The address of a bot cannot be changed.", { field: "email" });
  }
  const { app, tx, realm } = context;
  const changed = { ...user, delivery_email: email, session_epoch: user.session_epoch + 1 };
  await putUser(tx, realm.id, changed);
  const event = { realm, user: changed, now: app.clock.now() };
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    sendUserEvent(tx, event, toUpdateEvent({ user_id: user.id, delivery_email: email }));
    sendUserEvent(tx, event, toUpdateEvent({ user_id: user.id, new_email: toApiEmail(app, realm, changed) }));
  } else {
    sendHiddenEmailEvent(tx, event);
  }
  return changed;
}

/**
 * Deactivates an account and the bots it owns. Their API keys stop working, the account's sessions and
 * invitations end.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function deactivateAccount(context: ChangeContext, user: UserRecord): Promise<UserRecord> {
  if (!user.is_active) return user;
  const { app, tx, realm } = context;
  if (await isLastOwner(tx, realm.id, user)) {
    throw new AppError("BAD_REQUEST", "Cannot deactivate the only organization owner");
  }
  const bots = await readOwnedBots(context, user);
  const now = app.clock.now();
  const closed = { ...user, session_epoch: user.session_epoch + 1, invites_ended_at: now };
  const deactivated = await putActivation(context, closed, false);
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "invites_changed" }, audience: "admins" });
  const inactiveBots: UserRecord[] = [];
  for (const bot of bots) inactiveBots.push(await putActivation(context, bot, false));
  await sendActivationEvents(context, [deactivated, ...inactiveBots]);
  return deactivated;
}

/** Reactivates an account but not its bots. A bot whose owner is deactivated gets `newOwner` as its owner. */
export async function reactivateAccount(
  context: ChangeContext,
  user: UserRecord,
  newOwner: UserRecord | null,
): Promise<UserRecord> {
  if (user.is_active) return user;
  const owned = await toActiveOwner(context, user, newOwner);
  const reactivated = await putActivation(context, owned, true);
  if (owned.bot_owner_id !== user.bot_owner_id) {
    await sendBotOwnerEvents(context, { before: user, bot: reactivated });
  }
  await sendActivationEvents(context, [reactivated]);
  return reactivated;
}

async function toActiveOwner(
  { tx, realm }: ChangeContext,
  user: UserRecord,
  newOwner: UserRecord | null,
): Promise<UserRecord> {
  if (!isBot(user) || newOwner === null) return user;
  const owner = user.bot_owner_id === null ? null : await getUser(tx, realm.id, user.bot_owner_id);
  return owner?.is_active ? user : { ...user, bot_owner_id: newOwner.id };
}

async function putActivation(
  context: ChangeContext,
  user: UserRecord,
  isActive: boolean,
): Promise<UserRecord> {
  const { app, tx, realm } = context;
  const changed = { ...user, is_active: isActive };
  await putUser(tx, realm.id, changed);
  const state = { user_id: user.id, is_active: isActive };
  sendUserEvent(tx, { realm, user: changed, now: app.clock.now() }, toUpdateEvent(state));
  if (isBot(user)) await sendBotEvents(context, changed, { op: "update", bot: state });
  return changed;
}

async function readOwnedBots({ tx, realm }: ChangeContext, owner: UserRecord): Promise<UserRecord[]> {
  const ids = isBot(owner) ? [] : await readBotIds(tx, realm.id, owner.id);
  return await Promise.all(ids.map((id) => getUser(tx, realm.id, id)));
}

function toUpdateEvent(person: Readonly<Record<string, unknown>>) {
  return { type: "realm_user", op: "update", person };
}
