import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvents } from "../events/tell_together.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { putUser } from "../users/store.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "../users/tell_of_user.ts";
import { type BotType, EMAIL_VISIBILITY, isBot, type Role, type UserRecord } from "../users/user.ts";
import { toUser } from "../users/view.ts";

import { toRoleEvents } from "./tell_of_system_groups.ts";

/** What makes a new account. */
export interface NewUser {
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  /** A bot's kind and owner; people have none. */
  readonly bot?: { readonly type: BotType; readonly ownerId: number | null };
}

/**
 * Adds an account, its name and address checked before, and tells everybody.
 * @throws AppError BAD_REQUEST when the address is taken.
 */
export async function addUser(
  app: Pick<ChatApp, "clock" | "config">,
  tx: Tx,
  { realm, user }: { realm: RealmRecord; user: NewUser },
): Promise<UserRecord> {
  const now = app.clock.now();
  const record: UserRecord = {
    id: await tx.nextId("user"),
    delivery_email: user.deliveryEmail,
    email_visibility: EMAIL_VISIBILITY.everyone,
    full_name: user.fullName,
    role: user.role,
    is_active: true,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.ownerId ?? null,
    date_joined: now,
    timezone: "",
    avatar_version: 1,
    avatar: null,
    is_imported_stub: false,
    password_hash: user.passwordHash,
    key_generation: 1,
    session_epoch: 1,
  };
  await putUser(tx, realm.id, record);
  const about = { realm, user: record, now };
  const shown = toUser(record, { app, realm, viewer: null });
  const person = isBot(record) ? shown : { ...shown, profile_data: {} };
  sendUserEvent(tx, about, { type: "realm_user", op: "add", person });
  sendHiddenEmailEvent(tx, about);
  sendEvents(
    tx,
    { realmId: realm.id, now },
    toRoleEvents({ realm, now }, [{ before: null, after: record }]),
  );
  return record;
}
