import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import { getActor } from "../accounts/rights.ts";
import type { ChatApp } from "../app.ts";
import { completeEmoji, type NamedEmoji, requireEmoji } from "../emoji/resolve_emoji.ts";
import { getRealm } from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { sendUserEvent } from "../users/tell_of_user.ts";
import { isAdmin, userKeys, type UserRecord } from "../users/user.ts";
import {
  isNoStatus,
  NO_STATUS,
  requireInUse,
  requirePerson,
  statusKeys,
  type StatusRecord,
} from "../users/status.ts";

/** What is to be other than it is; undefined leaves a part alone. */
export interface SentStatus {
  readonly status_text: string | undefined;
  readonly emoji_name: string | undefined;
  readonly emoji_code: string | undefined;
  readonly reaction_type: string | undefined;
  readonly away?: boolean | undefined;
}

/**
 * Sets what somebody says of himself, as an administrator.
 * @throws AppError BAD_REQUEST, and then nothing is changed.
 */
export async function setUserStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  { userId, sent }: { userId: number; sent: SentStatus },
): Promise<void> {
  await transact(app.store, async (tx) => {
    const key = userKeys.user(realm.id, userId);
    const target = requirePerson(Number.isSafeInteger(userId) ? await tx.get<UserRecord>(key) : null);
    requireInUse(target);
    if (!isAdmin(await getActor(tx, realm.id, actingUser))) {
      throw new AppError("BAD_REQUEST", "Insufficient permission");
    }
    await setStatus(app, tx, { realmId: realm.id, user: target, sent });
  }, queueOf(realm.id, userId));
}

/**
 * Sets what the caller says of himself.
 * @throws AppError BAD_REQUEST, and then nothing is changed.
 */
export async function setOwnStatus(
  app: ChatApp,
  { realm, actingUser }: Caller,
  sent: SentStatus,
): Promise<void> {
  await transact(app.store, async (tx) => {
    const user = await getActor(tx, realm.id, actingUser);
    await setStatus(app, tx, { realmId: realm.id, user, sent });
  }, queueOf(realm.id, actingUser.id));
}

function queueOf(realmId: number, userId: number): string {
  return `status ${realmId} ${userId}`;
}

async function setStatus(
  app: ChatApp,
  tx: Tx,
  { realmId, user, sent }: { realmId: number; user: UserRecord; sent: SentStatus },
): Promise<void> {
  const changes = await toChanges(app, realmId, sent);
  const key = statusKeys.status(realmId, user.id);
  const status: StatusRecord = { ...await tx.get<StatusRecord>(key) ?? NO_STATUS, ...changes };
  if (isNoStatus(status)) tx.delete(key);
  else tx.set(key, status);
  const about = { realm: await getRealm(tx, realmId), user, now: app.clock.now() };
  sendUserEvent(tx, about, { type: "user_status", user_id: user.id, ...changes });
}

/** The parts that a request sets. */
async function toChanges(app: ChatApp, realmId: number, sent: SentStatus): Promise<Partial<StatusRecord>> {
  const { status_text, emoji_name, emoji_code, reaction_type, away } = sent;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw new AppError("BAD_REQUEST", "Client did not pass any new values.");
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw new AppError(
      "BAD_REQUEST",
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    );
  }
  const emoji = emoji_name === undefined ? {} : await toEmoji(app, realmId, { ...sent, emoji_name });
  return {
    ...(status_text === undefined ? {} : { status_text }),
    ...emoji,
    ...(away === undefined ? {} : { away }),
  };
}

/** An emoji that is there and in use; none where its name is empty. */
async function toEmoji(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: SentStatus & { readonly emoji_name: string },
): Promise<NamedEmoji> {
  if (emoji_name === "") return { emoji_name, emoji_code: "", reaction_type: NO_STATUS.reaction_type };
  const emoji = await completeEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
  await requireEmoji(app, realmId, emoji);
  return emoji;
}
