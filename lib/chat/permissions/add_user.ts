import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvents } from "../events/send_events.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { countJoining } from "../statistics/store.ts";
import { writeFirstSettings } from "../user_settings/store.ts";
import { toUser } from "../users/api.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "../users/events.ts";
import {
  type BotType,
  EMAIL_VISIBILITY,
  isBot,
  type OutgoingWebhook,
  type Role,
  type UserRecord,
} from "../users/model.ts";
import { putUser } from "../users/store.ts";
import { toRoleEvents } from "./events.ts";

/** Values for a new account. */
export interface NewUser {
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  /** Kind and owner of a bot; absent for human users. */
  readonly bot?: {
    readonly type: BotType;
    readonly ownerId: number | null;
    readonly outgoingWebhook?: OutgoingWebhook | undefined;
  };
}

/**
 * Creates an account and sends its events. The caller validates the name and the address first.
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
    ...(user.bot?.outgoingWebhook === undefined ? {} : { outgoing_webhook: user.bot.outgoingWebhook }),
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
  if (!isBot(record)) await startPerson(tx, { realmId: realm.id, now }, record.id);
  const change = { realm, user: record, now };
  const visible = toUser(record, { app, realm, viewer: null });
  const person = isBot(record) ? visible : { ...visible, profile_data: {} };
  sendUserEvent(tx, change, { type: "realm_user", op: "add", person });
  sendHiddenEmailEvent(tx, change);
  sendEvents(
    tx,
    { realmId: realm.id, now },
    toRoleEvents({ realm, now }, [{ before: null, after: record }]),
  );
  return record;
}

/** Writes the first settings of a person and counts their joining. */
async function startPerson(tx: Tx, at: { realmId: number; now: number }, userId: number): Promise<void> {
  await writeFirstSettings(tx, { realmId: at.realmId, userId });
  countJoining(tx, at, { step: "joined" });
}
