import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import type { NamedEmoji } from "../emoji/model.ts";
import { requireEmoji, resolveEmoji } from "../emoji/resolve_emoji.ts";
import { canAccessUser } from "../permissions/model/membership.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { getRealm } from "../organizations/model.ts";
import { sendUserEvent } from "../users/events.ts";
import { type Caller, isAdmin, userKeys, type UserRecord } from "../users/model.ts";
import { getActingUser } from "../users/store.ts";
import { EMPTY_STATUS, requireActiveUser, requireHumanUser, type StatusRecord } from "./model.ts";
import { changeStatus } from "./store.ts";

/** Changes of a status; undefined keeps the current value. */
export interface StatusInput {
  readonly status_text: string | undefined;
  readonly emoji_name: string | undefined;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
  readonly away?: boolean | undefined;
}

/**
 * Sets another user's status, for administrators.
 * @throws AppError BAD_REQUEST for an invalid user or emoji, or without permission.
 */
export async function setUserStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { userId, input }: { userId: number; input: StatusInput },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const actor = await getActingUser(tx, realm.id, actingUser);
    const found = Number.isSafeInteger(userId)
      ? await tx.get<UserRecord>(userKeys.user(realm.id, userId))
      : null;
    const permissions = await readPermissionContext(app, tx, realm.id);
    const target = requireHumanUser(
      found !== null && canAccessUser(permissions, actor, found) ? found : null,
    );
    requireActiveUser(target);
    if (!isAdmin(actor)) {
      throw new AppError("BAD_REQUEST", "Insufficient permission");
    }
    await setStatus(app, tx, { realmId: realm.id, user: target, input });
  }, statusLock(realm.id, userId));
}

/**
 * Sets the caller's own status.
 * @throws AppError BAD_REQUEST for an invalid emoji or when nothing is set.
 */
export async function setOwnStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  input: StatusInput,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const user = await getActingUser(tx, realm.id, actingUser);
    await setStatus(app, tx, { realmId: realm.id, user, input });
  }, statusLock(realm.id, actingUser.id));
}

function statusLock(realmId: number, userId: number): string {
  return `status ${realmId} ${userId}`;
}

async function setStatus(
  app: ChatApp,
  tx: Tx,
  { realmId, user, input }: { realmId: number; user: UserRecord; input: StatusInput },
): Promise<void> {
  const changes = await toChanges(app, realmId, input);
  await changeStatus(tx, { realmId, userId: user.id }, changes);
  const context = { realm: await getRealm(tx, realmId), user, now: app.clock.now() };
  sendUserEvent(tx, context, { type: "user_status", user_id: user.id, ...changes });
}

/** Returns the changed parts of the status. */
async function toChanges(app: ChatApp, realmId: number, input: StatusInput): Promise<Partial<StatusRecord>> {
  const { status_text, emoji_name, emoji_code, reaction_type, away } = input;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw new AppError("BAD_REQUEST", "Client did not pass any new values.");
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw new AppError(
      "BAD_REQUEST",
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    );
  }
  if (status_text !== undefined) requireName(status_text, "status_text", { mayMixScripts: true });
  const emoji = emoji_name === undefined ? {} : await toEmoji(app, realmId, { ...input, emoji_name });
  return {
    ...(status_text === undefined ? {} : { status_text }),
    ...emoji,
    ...(away === undefined ? {} : { away }),
  };
}

/** Returns an active emoji, or empty parts for an empty name. */
async function toEmoji(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: StatusInput & { readonly emoji_name: string },
): Promise<NamedEmoji> {
  if (emoji_name === "") return { emoji_name, emoji_code: "", reaction_type: EMPTY_STATUS.reaction_type };
  const emoji = await resolveEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
  await requireEmoji(app, realmId, emoji);
  return emoji;
}
