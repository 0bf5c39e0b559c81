import { systemGroupId } from "../permissions/model/system_groups.ts";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
} from "../audit/model.ts";
import { auditAction } from "../audit/store.ts";
import type { Audience, ChatEvent } from "../events/model.ts";
import { type EventContext, sendChangeEvent } from "../events/send_events.ts";
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

/** Change of an organization whose record decides who receives events about users. */
type UserEventContext = EventContext & { readonly realm: RealmRecord };

/** Sends an event to everyone who can access a user, which guests may not. */
export function sendUserEvent(context: UserEventContext, user: UserRecord, event: ChatEvent): void {
  const everyone = systemGroupId(context.realm, "role:everyone");
  const isOpen = (context.realm.permissions["can_access_all_users_group"] ?? everyone) === everyone;
  if (isOpen || isBot(user)) return sendChangeEvent(context, event);
  sendChangeEvent(context, event, "members");
  if (isGuest(user)) sendChangeEvent(context, event, [user.id]);
}

/** Sends a real address to those who can see it; nothing when everyone can, as `email` holds it then. */
export function sendHiddenEmailEvent(context: EventContext, user: UserRecord): void {
  const person = { user_id: user.id, delivery_email: user.delivery_email };
  for (const audience of emailAudiences(user)) {
    sendChangeEvent(context, { type: "realm_user", op: "update", person }, audience);
  }
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
  context: UserEventContext,
  user: UserRecord,
  changes: Readonly<Record<string, unknown>>,
): void {
  const person = { user_id: user.id, ...changes };
  sendUserEvent(context, user, { type: "realm_user", op: "update", person });
}

/** Sends the events of a new address or visibility; only users who can see the address receive it. */
export function sendEmailEvents(
  context: UserEventContext & { readonly app: Pick<ChatApp, "config"> },
  user: UserRecord,
  { isVisibilityChange }: { isVisibilityChange: boolean },
): void {
  const new_email = toApiEmail(context.app, context.realm, user);
  if (user.email_visibility === EMAIL_VISIBILITY.everyone) {
    sendProfileEvent(context, user, { delivery_email: user.delivery_email });
    sendProfileEvent(context, user, { new_email });
    return;
  }
  // Everyone first receives null, then the users who can still see the address receive it again.
  if (isVisibilityChange) {
    sendProfileEvent(context, user, { delivery_email: null });
    sendProfileEvent(context, user, { new_email });
  }
  sendHiddenEmailEvent(context, user);
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
export function auditUser(context: ChangeContext, { user, action, ...entry }: AuditedUserAction): void {
  const kind = isBot(user) ? "bot" : "user";
  auditAction(context, {
    action: kind === "bot" ? BOT_ACTIONS[action] : `user_${action}`,
    target: { kind, id: user.id, name: user.full_name },
    ...entry,
  });
}

/** Records changes of name, role, address and bot owner in the audit log, if there are any. */
export function auditUserChanges(
  context: ChangeContext,
  { before, after: user }: { before: UserRecord; after: UserRecord },
): void {
  const details = diffDetails(before, user, ["full_name", "role", "bot_owner_id"]);
  const values = diffValues(before, user, ["full_name"]);
  if (isBot(user)) {
    if (Object.keys(details).length > 0) auditUser(context, { user, action: "renamed", details, values });
    return;
  }
  const { role, full_name } = details;
  if (role !== undefined) auditUser(context, { user, action: "role_changed", details: { role } });
  if (full_name !== undefined) {
    auditUser(context, { user, action: "renamed", details: { full_name }, values });
  }
  // The address itself is not recorded, as administrators may not be allowed to see it.
  if (before.delivery_email !== user.delivery_email) auditUser(context, { user, action: "email_changed" });
}
