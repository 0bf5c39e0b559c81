import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import type { Tx } from "@/lib/store/transact.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
} from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import type { Audience, ChatEvent } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import type { RealmRecord } from "../organizations/model.ts";
import {
  type Caller,
  EMAIL_VISIBILITY,
  isAdmin,
  isBot,
  isGuest,
  ROLE,
  toApiEmail,
  type UserRecord,
} from "./model.ts";

/** Subject of a user event; `now` is in milliseconds since 1970 UTC. */
export interface UserEventContext {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly now: number;
}

/** Position of role:everyone after the first system group; users must not import groups. */
export const EVERYONE_GROUP_OFFSET = 6;

/** Sends an event to everyone who can access a user, which guests may not. */
export function sendUserEvent(tx: Tx, { realm, user, now }: UserEventContext, event: ChatEvent): void {
  const group = realm.permissions["can_access_all_users_group"];
  const isOpen = group === undefined || group === realm.first_system_group_id + EVERYONE_GROUP_OFFSET;
  const at = { realmId: realm.id, now };
  if (isOpen || isBot(user)) return sendEvent(tx, at, { event, audience: "everyone" });
  sendEvent(tx, at, { event, audience: "members" });
  if (isGuest(user)) sendEvent(tx, at, { event, audience: [user.id] });
}

/** Sends a real address to those who can see it; nothing when everyone can, as `email` holds it then. */
export function sendHiddenEmailEvent(tx: Tx, { realm, user, now }: UserEventContext): void {
  const event = {
    type: "realm_user",
    op: "update",
    person: { user_id: user.id, delivery_email: user.delivery_email },
  };
  for (const audience of emailAudiences(user)) sendEvent(tx, { realmId: realm.id, now }, { event, audience });
}

function emailAudiences(user: UserRecord): Audience[] {
  const self = [user.id];
  switch (isBot(user) ? EMAIL_VISIBILITY.everyone : user.email_visibility) {
    case EMAIL_VISIBILITY.everyone:
      return [];
    case EMAIL_VISIBILITY.members:
      return isGuest(user) ? ["members", self] : ["members"];
    case EMAIL_VISIBILITY.moderators:
      return user.role <= ROLE.moderator ? ["moderators"] : ["moderators", self];
    case EMAIL_VISIBILITY.admins:
      return isAdmin(user) ? ["admins"] : ["admins", self];
    case EMAIL_VISIBILITY.nobody:
      return [self];
  }
}

/** Sends changed properties of an account to the users who can access it. */
export function sendProfileEvent(
  tx: Tx,
  context: UserEventContext,
  changes: Readonly<Record<string, unknown>>,
): void {
  const person = { user_id: context.user.id, ...changes };
  sendUserEvent(tx, context, { type: "realm_user", op: "update", person });
}

/** Sends the events of a new address or visibility; only users who can see the address receive it. */
export function sendEmailEvents(
  tx: Tx,
  app: Pick<ChatApp, "config">,
  context: UserEventContext & { readonly isVisibilityChange: boolean },
): void {
  const { realm, user, isVisibilityChange } = context;
  const new_email = toApiEmail(app, realm, user);
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    sendProfileEvent(tx, context, { delivery_email: user.delivery_email });
    sendProfileEvent(tx, context, { new_email });
    return;
  }
  // Everyone first receives null, then the users who can still see the address receive it again.
  if (isVisibilityChange) {
    sendProfileEvent(tx, context, { delivery_email: null });
    sendProfileEvent(tx, context, { new_email });
  }
  sendHiddenEmailEvent(tx, context);
}

/** Sends a notice to each active user in a direct message; skips bots. */
export async function sendUserNotices(
  app: ChatApp,
  { realm }: Caller,
  { users, text }: { users: readonly UserRecord[]; text: string },
): Promise<void> {
  for (const user of users) {
    if (!isBot(user) && user.is_active) {
      await app.hooks.sendNotice(app, realm, { target: { kind: "direct", userIds: [user.id] }, text });
    }
  }
}

/** A change of an account for the audit log. */
export interface AuditedUserAction {
  /** Null for the operator at the command line. */
  readonly actor: Pick<UserRecord, "id"> | null;
  readonly user: UserRecord;
  readonly action: keyof typeof BOT_ACTIONS;
  readonly details?: AuditDetails;
  readonly values?: AuditValues | undefined;
}

/** Audit action of each change when the account is a bot. */
const BOT_ACTIONS = {
  created: "bot_created",
  deactivated: "bot_deactivated",
  reactivated: "bot_reactivated",
  role_changed: "bot_changed",
  renamed: "bot_changed",
  email_changed: "bot_changed",
  profile_changed: "bot_changed",
  key_reset: "bot_key_reset",
  sessions_ended: "bot_changed",
  // Bots have no sign-in links.
  sign_in_link_created: "bot_changed",
  sign_in_link_used: "bot_changed",
} as const satisfies Record<string, AuditAction>;

/** Records a change of a human's or a bot's account in the audit log. */
export function auditUser(
  { app, tx, realm, reverts }: ChangeContext,
  { actor, user, action, details = {}, values }: AuditedUserAction,
): void {
  const kind = isBot(user) ? "bot" : "user";
  recordAudit(tx, { realmId: realm.id, now: app.clock.now(), reverts }, {
    acting_user_id: actor?.id ?? null,
    action: kind === "bot" ? BOT_ACTIONS[action] : `user_${action}`,
    target: { kind, id: user.id, name: user.full_name },
    details,
    values,
  });
}

/** Records changes of name, role, address and bot owner in the audit log, if there are any. */
export function auditUserChanges(
  context: ChangeContext,
  actor: Pick<UserRecord, "id">,
  { before, after: user }: { before: UserRecord; after: UserRecord },
): void {
  const details = diffDetails(before, user, ["full_name", "role", "bot_owner_id"]);
  if (isBot(user)) {
    const values = diffValues(before, user, ["full_name"]);
    if (Object.keys(details).length > 0) {
      auditUser(context, { actor, user, action: "renamed", details, values });
    }
    return;
  }
  const { role, full_name } = details;
  if (role !== undefined) auditUser(context, { actor, user, action: "role_changed", details: { role } });
  if (full_name !== undefined) {
    const values = diffValues(before, user, ["full_name"]);
    auditUser(context, { actor, user, action: "renamed", details: { full_name }, values });
  }
  // The address itself is not recorded, as administrators may not be allowed to see it.
  if (before.delivery_email !== user.delivery_email) {
    auditUser(context, { actor, user, action: "email_changed" });
  }
}
