import { dropPending, type PendingBlob } from "@/lib/kv/pending_blob.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/note_change.ts";
import { pictureKeys } from "../emoji/picture.ts";
import { keepPicture, removePicture, requirePicture, storePicture } from "../emoji/store_picture.ts";
import { sendEvent } from "../events/emit.ts";
import { groupQueue } from "../permissions/group_world.ts";
import { getRealm, iconUrl, realmKeys, type RealmRecord } from "../realm/realm.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";

const WORDS = {
  exactlyOne: "You must upload exactly one icon.",
  noPicture: "Could not decode image; did you upload an image file?",
};

/**
 * Gives an organization the one picture among these files as its icon, and its address. The old one's bytes are removed.
 * @throws AppError BAD_REQUEST for none, several, a large one and what is no picture; UNAUTHORIZED_PRINCIPAL.
 */
export async function changeIcon(
  app: ChatApp,
  author: Caller,
  files: readonly Uint8Array[],
): Promise<{ icon_url: string }> {
  const sent = requirePicture(files, WORDS);
  const { id: realmId } = author.realm;
  const picture = { content_type: sent.contentType, size: sent.content.length };
  const changed = await storePicture(app, sent, {
    realmId,
    place: pictureKeys.place,
    keep: (tx, id) => putIcon(app, tx, { author, path: keepPicture(tx, realmId, { ...picture, id }) }),
    queue: groupQueue(realmId),
  });
  return await finish(app, changed);
}

/**
 * Takes an organization's icon away, and gives the address of the one that stands for it.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export async function removeIcon(app: ChatApp, author: Caller): Promise<{ icon_url: string }> {
  const work = (tx: Tx) => putIcon(app, tx, { author, path: null });
  return await finish(app, await transact(app.store, work, groupQueue(author.realm.id)));
}

interface Changed {
  readonly realm: RealmRecord;
  readonly old: PendingBlob | null;
}

async function finish(app: ChatApp, { realm, old }: Changed): Promise<{ icon_url: string }> {
  if (old !== null) await dropPending(app.store, old);
  return { icon_url: iconUrl(app, realm) };
}

async function putIcon(
  app: ChatApp,
  tx: Tx,
  { author, path }: { author: Caller; path: string | null },
): Promise<Changed> {
  const realmId = author.realm.id;
  const at = { realmId, now: app.clock.now() };
  // The caller's role may have changed since the request was let in.
  requireAdmin(await getUser(tx, realmId, author.actingUser.id));
  const before = await getRealm(tx, realmId);
  const icon = before.icon ?? null;
  if (icon === null && path === null) return { realm: before, old: null };
  const realm = { ...before, icon: path };
  const old = removePicture(tx, at, icon);
  tx.set(realmKeys.realm(realmId), realm);
  recordAudit(tx, at, {
    acting_user_id: author.actingUser.id,
    action: "realm_changed",
    target: { kind: "realm", id: realmId, name: realm.name },
    details: { icon: "" },
  });
  const data = { icon_source: path === null ? "G" : "U", icon_url: iconUrl(app, realm) };
  sendEvent(tx, at, {
    event: { type: "realm", op: "update_dict", property: "icon", data },
    audience: "everyone",
  });
  return { realm, old };
}
