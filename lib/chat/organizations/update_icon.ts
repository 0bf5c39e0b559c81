import { afterCommit } from "@/lib/store/after_commit.ts";
import type { PendingBlob } from "../files/model.ts";
import { dropPending } from "../files/store.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import {
  deletePicture,
  pictureKeys,
  requirePicture,
  storePicture,
  toSquares,
  writePicture,
} from "../pictures.ts";
import type { Caller } from "../users/model.ts";
import { getActingAdmin } from "../users/store.ts";
import { iconUrl, realmKeys, type RealmRecord } from "./model.ts";
import { getRealm } from "./store.ts";

const MESSAGES = {
  exactlyOne: "You must upload exactly one icon.",
  noPicture: "Could not decode image; did you upload an image file?",
};

/**
 * Replaces the organization's icon by the single uploaded image and returns its address. The previous image
 * is deleted.
 * @throws AppError BAD_REQUEST unless there is exactly one valid image of acceptable size;
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function updateIcon(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[],
): Promise<{ icon_url: string }> {
  const { content } = requirePicture(files, MESSAGES);
  const { id: realmId } = caller.realm;
  const { picture, record } = await toSquares(app, caller, { content, noPicture: MESSAGES.noPicture });
  const changed = await storePicture(app, picture, {
    realmId,
    place: pictureKeys.place,
    write: (tx, id) => putIcon(app, tx, { caller, path: writePicture(tx, realmId, { ...record, id }) }),
  });
  return await finishIconChange(app, changed);
}

/**
 * Removes the organization's icon and returns the address of the default one.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export async function removeIcon(app: ChatApp, caller: Caller): Promise<{ icon_url: string }> {
  const work = (tx: Tx) => putIcon(app, tx, { caller, path: null });
  return await finishIconChange(app, await transact(app.store, work));
}

interface IconChange {
  readonly realm: RealmRecord;
  readonly old: PendingBlob | null;
}

async function finishIconChange(app: ChatApp, { realm, old }: IconChange): Promise<{ icon_url: string }> {
  if (old !== null) await afterCommit(() => dropPending(app.store, old));
  return { icon_url: iconUrl(app, realm) };
}

async function putIcon(
  app: ChatApp,
  tx: Tx,
  { caller, path }: { caller: Caller; path: string | null },
): Promise<IconChange> {
  const realmId = caller.realm.id;
  const at = { realmId, now: app.clock.now() };
  const actor = await getActingAdmin(tx, caller);
  const before = await getRealm(tx, realmId);
  const icon = before.icon ?? null;
  if (icon === null && path === null) return { realm: before, old: null };
  const realm = { ...before, icon: path };
  const old = deletePicture(tx, at, icon);
  tx.set(realmKeys.realm(realmId), realm);
  recordAudit(tx, at, {
    acting_user_id: actor.id,
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
