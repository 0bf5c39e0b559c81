import type { ChangeContext } from "@/lib/chat/organization/app.ts";
import { sendEvents } from "@/lib/chat/organization/events/send_events.ts";
import { toRoleEvents } from "@/lib/chat/organization/permissions/store.ts";
import { countJoining } from "@/lib/chat/organization/statistics/store.ts";
import { writeFirstSettings } from "@/lib/chat/people/user_settings/store.ts";
import { toUser } from "./api.ts";
import { sendHiddenEmailEvent, sendUserEvent } from "@/lib/chat/organization/users/events.ts";
import {
  type BotType,
  EMAIL_VISIBILITY,
  isBot,
  type OutgoingWebhook,
  type Role,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { putUser } from "../put_user.ts";

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
export async function addUser(context: ChangeContext, user: NewUser): Promise<UserRecord> {
  const { app, tx, realm } = context;
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
  if (!isBot(record)) {
    await writeFirstSettings(app, tx, { realmId: realm.id, userId: record.id });
    countJoining(tx, { realmId: realm.id, now }, { step: "joined" });
  }
  const visible = toUser(record, { app, realm, viewer: null });
  const person = isBot(record) ? visible : { ...visible, profile_data: {} };
  sendUserEvent(context, record, { type: "realm_user", op: "add", person });
  sendHiddenEmailEvent(context, record);
  sendEvents(context, toRoleEvents({ realm, now }, [{ before: null, after: record }]));
  return record;
}
