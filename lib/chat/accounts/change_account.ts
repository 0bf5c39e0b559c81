import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { botsOf } from "../users/bots_of.ts";
import { apiEmail } from "../users/email.ts";
import { isLastOwner } from "../users/owner_count.ts";
import { getUser, putUser } from "../users/store.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "../users/tell_of_user.ts";
import { EMAIL_VISIBILITY, isBot, isOwner, type Role, type UserRecord } from "../users/user.ts";
import { tellOfBot, tellOfNewOwner } from "./tell_of_bot.ts";
import { tellOfRoles } from "./tell_of_roles.ts";
import { tellOfUse } from "./tell_of_use.ts";

/** An account, and the transaction in which it is changed by whoever may. */
export interface AccountChange {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly realm: RealmRecord;
}

/**
 * Gives an account another role. Its bots never keep one above it.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function changeRole(change: AccountChange, user: UserRecord, role: Role): Promise<UserRecord> {
  if (user.role === role) return user;
  const { tx, realm } = change;
  if (isOwner(user) && await isLastOwner(tx, realm.id, user)) {
    throw new AppError(
      "BAD_REQUEST",
      "The owner permission cannot be removed from the only organization owner.",
    );
  }
  const lowered = (await readBots(change, user)).filter((bot) => bot.role < role);
  const changed = await setRole(change, user, role);
  const steps = [{ before: user, after: changed }];
  for (const bot of lowered) steps.push({ before: bot, after: await setRole(change, bot, role) });
  await tellOfRoles(change, steps);
  return changed;
}

async function setRole({ app, tx, realm }: AccountChange, user: UserRecord, role: Role): Promise<UserRecord> {
  const changed = { ...user, role };
  await putUser(tx, realm.id, changed);
  sendUserEvent(tx, { realm, user: changed, now: app.clock.now() }, update({ user_id: user.id, role }));
  return changed;
}

/** Gives an account another name, checked before. */
export async function changeFullName(
  change: AccountChange,
  user: UserRecord,
  fullName: string,
): Promise<UserRecord> {
  if (user.full_name === fullName) return user;
  const { app, tx, realm } = change;
  const changed = { ...user, full_name: fullName };
  await putUser(tx, realm.id, changed);
  const renamed = { user_id: user.id, full_name: fullName };
  sendUserEvent(tx, { realm, user: changed, now: app.clock.now() }, update(renamed));
  if (isBot(user)) await tellOfBot(change, changed, { op: "update", bot: renamed });
  return changed;
}

/**
 * Gives a person another address, checked before. What was sent to the old one, and sessions, are worth nothing more.
 * @throws AppError BAD_REQUEST when the address is taken, and for bots.
 */
export async function changeEmail(
  change: AccountChange,
  user: UserRecord,
  email: string,
): Promise<UserRecord> {
  if (user.delivery_email === email) return user;
  if (isBot(user)) throw new AppError("BAD_REQUEST", "The address of a bot cannot be changed.");
  const { app, tx, realm } = change;
  const changed = { ...user, delivery_email: email, session_epoch: user.session_epoch + 1 };
  await putUser(tx, realm.id, changed);
  const about = { realm, user: changed, now: app.clock.now() };
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    sendUserEvent(tx, about, update({ user_id: user.id, delivery_email: email }));
    sendUserEvent(tx, about, update({ user_id: user.id, new_email: apiEmail(app, realm, changed) }));
  } else {
    sendHiddenEmailEvent(tx, about);
  }
  return changed;
}

/**
 * Ends an account and the bots that it owns: their keys are refused at once, its sessions and invitations have ended.
 * @throws AppError BAD_REQUEST for the only owner.
 */
export async function endAccount(change: AccountChange, user: UserRecord): Promise<UserRecord> {
  if (!user.is_active) return user;
  const { app, tx, realm } = change;
  if (await isLastOwner(tx, realm.id, user)) {
    throw new AppError("BAD_REQUEST", "Cannot deactivate the only organization owner");
  }
  const bots = await readBots(change, user);
  const now = app.clock.now();
  const last = { ...user, session_epoch: user.session_epoch + 1, invites_ended_at: now };
  const ended = await setActive(change, last, false);
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "invites_changed" }, audience: "admins" });
  const endedBots: UserRecord[] = [];
  for (const bot of bots) endedBots.push(await setActive(change, bot, false));
  await tellOfUse(change, [ended, ...endedBots]);
  return ended;
}

/** Lets an account be used again; its bots stay as they are. A bot whose owner is gone becomes `newOwner`'s. */
export async function resumeAccount(
  change: AccountChange,
  user: UserRecord,
  newOwner: UserRecord | null,
): Promise<UserRecord> {
  if (user.is_active) return user;
  const owned = await withActiveOwner(change, user, newOwner);
  const resumed = await setActive(change, owned, true);
  if (owned.bot_owner_id !== user.bot_owner_id) await tellOfNewOwner(change, { before: user, bot: resumed });
  await tellOfUse(change, [resumed]);
  return resumed;
}

/** Gives an account another key. Its holder and, for a bot, its owner are told that it changed, never what it is. */
export async function rotateKey(change: AccountChange, user: UserRecord): Promise<UserRecord> {
  const { app, tx, realm } = change;
  const changed = { ...user, key_generation: user.key_generation + 1 };
  await putUser(tx, realm.id, changed);
  sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
    event: { type: "api_key", op: "regenerate", user_id: user.id },
    audience: user.bot_owner_id === null ? [user.id] : [user.id, user.bot_owner_id],
  });
  return changed;
}

async function withActiveOwner(
  { tx, realm }: AccountChange,
  user: UserRecord,
  newOwner: UserRecord | null,
): Promise<UserRecord> {
  if (!isBot(user) || newOwner === null) return user;
  const owner = user.bot_owner_id === null ? null : await getUser(tx, realm.id, user.bot_owner_id);
  return owner?.is_active ? user : { ...user, bot_owner_id: newOwner.id };
}

async function setActive(change: AccountChange, user: UserRecord, isActive: boolean): Promise<UserRecord> {
  const { app, tx, realm } = change;
  const changed = { ...user, is_active: isActive };
  await putUser(tx, realm.id, changed);
  const state = { user_id: user.id, is_active: isActive };
  sendUserEvent(tx, { realm, user: changed, now: app.clock.now() }, update(state));
  if (isBot(user)) await tellOfBot(change, changed, { op: "update", bot: state });
  return changed;
}

async function readBots({ tx, realm }: AccountChange, owner: UserRecord): Promise<UserRecord[]> {
  const ids = isBot(owner) ? [] : await botsOf(tx, realm.id, owner.id);
  return await Promise.all(ids.map((id) => getUser(tx, realm.id, id)));
}

function update(person: Readonly<Record<string, unknown>>) {
  return { type: "realm_user", op: "update", person };
}
