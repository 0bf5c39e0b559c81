import { dropPending, type PendingBlob } from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { pictureKeys } from "../emoji/picture.ts";
import { keepPicture, removePicture, requirePicture, storePicture } from "../emoji/store_picture.ts";
import type { Caller } from "../users/caller.ts";
import { getUser, putUser } from "../users/store.ts";
import { sendUserEvent } from "../users/tell_of_user.ts";
import { isBot, type UserRecord } from "../users/user.ts";
import { avatarUrl } from "../users/view.ts";
import { accountQueue } from "./account_queue.ts";
import { tellOfBot } from "./tell_of_bot.ts";

const WORDS = {
  exactlyOne: "You must upload exactly one avatar.",
  noPicture: "Could not decode image; did you upload an image file?",
};

/**
 * Gives an account the one picture among these files, and its address. The old one's bytes are removed.
 * @throws AppError BAD_REQUEST for none, several, a large one and what is no picture.
 */
export async function changeAvatar(
  app: ChatApp,
  owner: Caller,
  files: readonly Uint8Array[],
): Promise<{ avatar_url: string | null }> {
  const sent = requirePicture(files, WORDS);
  const { id: realmId } = owner.realm;
  const picture = { content_type: sent.contentType, size: sent.content.length };
  const { user, old } = await storePicture(app, sent, {
    realmId,
    place: pictureKeys.place,
    keep: (tx, id) => putAvatar(app, tx, { owner, path: keepPicture(tx, realmId, { ...picture, id }) }),
    queue: accountQueue(realmId),
  });
  return await finish(app, owner, { user, old });
}

/** Takes an account's picture away, and gives the address of the one that is drawn for it. */
export async function removeAvatar(app: ChatApp, owner: Caller): Promise<{ avatar_url: string | null }> {
  const changed = await transact(
    app.store,
    (tx) => putAvatar(app, tx, { owner, path: null }),
    accountQueue(owner.realm.id),
  );
  return await finish(app, owner, changed);
}

interface Changed {
  readonly user: UserRecord;
  readonly old: PendingBlob | null;
}

async function finish(
  app: ChatApp,
  { realm }: Caller,
  { user, old }: Changed,
): Promise<{ avatar_url: string | null }> {
  if (old !== null) await dropPending(app.store, old);
  return { avatar_url: avatarUrl(user, { app, realm, viewer: null }) };
}

async function putAvatar(
  app: ChatApp,
  tx: Tx,
  { owner: { realm, actingUser }, path }: { owner: Caller; path: string | null },
): Promise<Changed> {
  const now = app.clock.now();
  const before = await getUser(tx, realm.id, actingUser.id);
  if (before.avatar === null && path === null) return { user: before, old: null };
  const user = { ...before, avatar: path, avatar_version: before.avatar_version + 1 };
  const old = removePicture(tx, { realmId: realm.id, now }, before.avatar);
  await putUser(tx, realm.id, user);
  const avatar_url = avatarUrl(user, { app, realm, viewer: null });
  const person = {
    user_id: user.id,
    avatar_url,
    avatar_url_medium: avatar_url,
    avatar_source: path === null ? "G" : "U",
    avatar_version: user.avatar_version,
  };
  sendUserEvent(tx, { realm, user, now }, { type: "realm_user", op: "update", person });
  if (isBot(user)) {
    await tellOfBot({ app, tx, realm }, user, { op: "update", bot: { user_id: user.id, avatar_url } });
  }
  return { user, old };
}
