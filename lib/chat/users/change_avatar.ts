import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/after_commit.ts";
import type { PendingBlob } from "../files/model.ts";
import { dropPending } from "../files/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  deletePicture,
  pictureKeys,
  requirePicture,
  storePicture,
  toSquares,
  writePicture,
} from "../pictures.ts";
import { type Caller, type ChangeContext, isBot, requireCanManageUser, type UserRecord } from "./model.ts";
import { getActingUser, putUser } from "./store.ts";
import { sendUserEvent } from "./events.ts";
import { toAvatarUrl, toMediumAvatarUrl } from "./api.ts";
import { sendBotEvents } from "../bots/events.ts";
import { getBot } from "../bots/store.ts";

const MESSAGES = {
  exactlyOne: "You must upload exactly one avatar.",
  noPicture: "Could not decode image; did you upload an image file?",
};

/**
 * Sets the only picture among the files as the user's avatar and returns its URL. Deletes the bytes of the
 * previous one.
 * @throws AppError BAD_REQUEST for no file, several files, a picture that is too large or unreadable;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many pictures are worked on.
 */
export async function changeAvatar(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[],
): Promise<{ avatar_url: string | null }> {
  const getTarget = (tx: Tx) => getActingUser(tx, caller.realm.id, caller.actingUser);
  return await storeAvatar(app, caller, { files, getTarget });
}

/**
 * Sets the only picture among the files as the avatar of a bot, for its owner and for administrators.
 * @throws AppError as `changeAvatar`, and BAD_REQUEST or UNAUTHORIZED_PRINCIPAL for others.
 */
export async function changeBotAvatar(
  app: ChatApp,
  caller: Caller,
  { id, files }: { id: number; files: readonly Uint8Array[] },
): Promise<{ avatar_url: string | null }> {
  const getTarget = async (tx: Tx) => {
    const actor = await getActingUser(tx, caller.realm.id, caller.actingUser);
    const bot = await getBot(tx, caller.realm.id, id);
    requireCanManageUser(actor, bot);
    if (!bot.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
    return bot;
  };
  return await storeAvatar(app, caller, { files, getTarget });
}

async function storeAvatar(
  app: ChatApp,
  caller: Caller,
  { files, getTarget }: {
    readonly files: readonly Uint8Array[];
    /** Returns the account that gets the picture, in the transaction that sets it. */
    readonly getTarget: (tx: Tx) => Promise<UserRecord>;
  },
): Promise<{ avatar_url: string | null }> {
  const { realm } = caller;
  const { content } = requirePicture(files, MESSAGES);
  const { id: realmId } = realm;
  const { picture, record } = await toSquares(app, caller, { content, noPicture: MESSAGES.noPicture });
  const { user, old } = await storePicture(app, picture, {
    realmId,
    place: pictureKeys.place,
    write: async (tx, id) => {
      const path = writePicture(tx, realmId, { ...record, id });
      return await setAvatar({ app, tx, realm }, await getTarget(tx), path);
    },
  });
  return await finishAvatarChange(app, caller, { user, old });
}

/** Removes a user's avatar and returns the URL of the generated one. */
export async function removeAvatar(app: ChatApp, caller: Caller): Promise<{ avatar_url: string | null }> {
  const change = await transact(
    app.store,
    (tx) => putAvatar(app, tx, { caller, path: null }),
  );
  return await finishAvatarChange(app, caller, change);
}

/** An account after a change of its avatar, and the bytes of the old one to drop after the commit. */
export interface AvatarChange {
  readonly user: UserRecord;
  readonly old: PendingBlob | null;
}

async function finishAvatarChange(
  app: ChatApp,
  { realm }: Caller,
  { user, old }: AvatarChange,
): Promise<{ avatar_url: string | null }> {
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
  return { avatar_url: toAvatarUrl(user, { app, realm, viewer: null }) };
}

async function putAvatar(
  app: ChatApp,
  tx: Tx,
  { caller: { realm, actingUser }, path }: { caller: Caller; path: string | null },
): Promise<AvatarChange> {
  return await setAvatar({ app, tx, realm }, await getActingUser(tx, realm.id, actingUser), path);
}

/** Sets or removes an account's avatar in a transaction and sends the events; `path` is null for none. */
export async function setAvatar(
  context: ChangeContext,
  before: UserRecord,
  path: string | null,
): Promise<AvatarChange> {
  const { app, tx, realm } = context;
  const now = app.clock.now();
  if (before.avatar === null && path === null) return { user: before, old: null };
  const user = { ...before, avatar: path, avatar_version: before.avatar_version + 1 };
  const old = deletePicture(tx, { realmId: realm.id, now }, before.avatar);
  await putUser(tx, realm.id, user);
  const avatar_url = toAvatarUrl(user, { app, realm, viewer: null });
  const person = {
    user_id: user.id,
    avatar_url,
    avatar_url_medium: toMediumAvatarUrl(user, { app, realm }),
    avatar_source: path === null ? "G" : "U",
    avatar_version: user.avatar_version,
  };
  sendUserEvent(tx, { realm, user, now }, { type: "realm_user", op: "update", person });
  if (isBot(user)) {
    await sendBotEvents(context, user, { op: "update", bot: { user_id: user.id, avatar_url } });
  }
  return { user, old };
}
