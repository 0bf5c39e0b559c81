import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { apiEmail, canSeeEmail } from "./email.ts";
import { EMAIL_VISIBILITY, isAdmin, isBot, isGuest, isOwner, type UserRecord } from "./user.ts";

/** What decides how an account is shown. */
export interface UserViewer {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
  /** Null for what many are told at once: then only what each of them may see is shown. */
  readonly viewer: UserRecord | null;
  /** Whether the client draws pictures for those who uploaded none; then it is told none. */
  readonly drawsAvatars?: boolean;
}

/** An account as the API shows it; addresses as the viewer may see them. */
export function toUser(user: UserRecord, context: UserViewer) {
  const { app, realm, viewer } = context;
  return {
    user_id: user.id,
    delivery_email: canSeeEmail(viewer, user) ? user.delivery_email : null,
    email: apiEmail(app, realm, user),
    full_name: user.full_name,
    date_joined: new Date(user.date_joined).toISOString().replace(/\.\d{3}Z$/, "+00:00"),
    is_active: user.is_active,
    is_owner: isOwner(user),
    is_admin: isAdmin(user),
    is_guest: isGuest(user),
    is_bot: isBot(user),
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, context),
    avatar_version: user.avatar_version,
    is_imported_stub: user.is_imported_stub,
  };
}

/** The picture's address; null where the client is to draw it itself and can. */
export function avatarUrl(
  user: UserRecord,
  { app, realm, viewer, drawsAvatars = false }: UserViewer,
): string | null {
  if (user.avatar !== null) return `${realmUrl(app, realm)}${user.avatar}?version=${user.avatar_version}`;
  const isDrawable = canSeeEmail(viewer, user) && user.email_visibility === EMAIL_VISIBILITY.everyone;
  if (drawsAvatars && isDrawable) return null;
  return `${realmUrl(app, realm)}/avatar/${user.id}?version=${user.avatar_version}`;
}

/** One's own account, with what only its holder is told, and the values of his profile fields. */
export function toOwnUser(
  user: UserRecord,
  context: UserViewer,
  profileData: Readonly<Record<string, unknown>>,
) {
  return { ...toUser(user, context), max_message_id: -1, profile_data: profileData };
}
