import { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import {
  bool,
  described,
  exact,
  intChoice,
  intList,
  json,
  optional,
  text,
  trimmed,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { profileDataParam, profileDataSchema } from "../profile_fields/api.ts";
import type { ProfileData } from "../profile_fields/model/field_data.ts";
import {
  type Caller,
  canSeeEmail,
  EMAIL_VISIBILITY,
  isAdmin,
  isBot,
  isGuest,
  isOwner,
  ROLES,
  toApiEmail,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";

export const userViewParams = {
  client_gravatar: described(
    withDefault(bool(), true),
    "Whether the client draws avatars for users without an uploaded one; their `avatar_url` is then null.",
  ),
  include_custom_profile_fields: described(
    withDefault(bool(), false),
    "Whether to include `profile_data`, the values of profile fields, for humans.",
  ),
};

export const listUsersParams = {
  ...userViewParams,
  user_ids: described(
    optional(intList()),
    "Ids of the users to return; ids of users you cannot access are ignored.",
  ),
};

export const createUserParams = {
  email: exact(text()),
  password: exact(text({ min: 1 })),
  full_name: exact(text()),
};

export const updateUserParams = {
  full_name: optional(exact(text())),
  role: optional(intChoice(ROLES)),
  new_email: described(
    optional(exact(text())),
    "New real email address. Administrators change it without confirmation by the user.",
  ),
  profile_data: profileDataParam,
};

/** Maximum length of the comment in the mail about a deactivation, in code points. */
const MAX_COMMENT = 2000;
const chosen = (description: string) => z.boolean().default(false).meta({ description });

export const deactivationParams = {
  deactivation_notification_comment: described(
    optional(trimmed({ max: MAX_COMMENT })),
    "Comment in an email to the user about the deactivation; empty for an email without one. " +
      "No email is sent if the parameter is absent.",
  ),
  actions: described(
    optional(json(z.object({
      delete_profile: chosen("Whether to delete the name and the avatar."),
      delete_public_channel_messages: chosen("Whether to delete the messages in public channels."),
      delete_private_channel_messages: chosen("Whether to delete the messages in private channels."),
      delete_direct_messages: chosen("Whether to delete the direct messages."),
    }))),
    "What to delete of the user and of their bots, in the background.",
  ),
};

export const userSchema = z.object({
  user_id: z.int(),
  delivery_email: z.string().nullable().meta({
    description: "Real email address; null when you cannot see it.",
  }),
  email: z.string().meta({
    description:
      "Email address that identifies the user in the API; may be a placeholder that receives no mail.",
  }),
  full_name: z.string(),
  date_joined: z.string().meta({ format: "date-time" }),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  is_imported_stub: z.boolean(),
}).meta({ id: "User" });

export const ownUserSchema = userSchema.extend({
  max_message_id: z.int(),
  profile_data: z.record(z.string(), z.unknown()),
});

const userViewSchema = userSchema.extend({
  profile_data: profileDataSchema.optional().meta({
    description: "Values of profile fields by field id; present for humans when requested.",
  }),
}).meta({ id: "Account" });

export const oneUserSchema = z.object({ user: userViewSchema });

export const userListSchema = z.object({ members: z.array(userViewSchema) });

export const createdUserSchema = z.object({ user_id: z.int() });

export const avatarSchema = z.object({ avatar_url: z.string() });

/** Context that decides how a user is returned: the viewer and the client's capabilities. */
export interface UserViewer {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
  /** Null when several users receive the same data: only fields that all of them can see are filled. */
  readonly viewer: UserRecord | null;
  /** Whether the client draws avatars of users without a picture; their `avatar_url` is then null. */
  readonly clientDrawsAvatars?: boolean;
}

/** Returns a user as the API shows it, with the email address the viewer can see. */
export function toUser(user: UserRecord, context: UserViewer) {
  const { app, realm, viewer } = context;
  return {
    user_id: user.id,
    delivery_email: canSeeEmail(viewer, user) ? user.delivery_email : null,
    email: toApiEmail(app, realm, user),
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
    avatar_url: toAvatarUrl(user, context),
    avatar_version: user.avatar_version,
    is_imported_stub: user.is_imported_stub,
  };
}

/** Returns the absolute URL of a user's avatar, or null when the client draws it. */
export function toAvatarUrl(
  user: UserRecord,
  { app, realm, viewer, clientDrawsAvatars = false }: UserViewer,
): string | null {
  const isDrawable = canSeeEmail(viewer, user) && user.email_visibility === EMAIL_VISIBILITY.everyone;
  if (user.avatar === null && clientDrawsAvatars && isDrawable) return null;
  const path = user.avatar ?? `/avatar/${user.id}`;
  return `${realmUrl(app, realm)}${path}?version=${user.avatar_version}`;
}

/** Returns the absolute URL of a user's avatar in a larger size. */
export function toMediumAvatarUrl(
  { id, avatar, avatar_version }: Pick<UserRecord, "id" | "avatar" | "avatar_version">,
  { app, realm }: Pick<UserViewer, "app" | "realm">,
): string {
  const path = avatar === null ? `/avatar/${id}/medium` : `${avatar}-medium.png`;
  return `${realmUrl(app, realm)}${path}?version=${avatar_version}`;
}

/** Returns the caller's own user with the fields only they can see and the values of their profile fields. */
export function toOwnUser(
  user: UserRecord,
  context: UserViewer,
  profileData: Readonly<Record<string, unknown>>,
) {
  return { ...toUser(user, context), max_message_id: -1, profile_data: profileData };
}

export interface UserViewOptions {
  readonly client_gravatar: boolean;
  readonly include_custom_profile_fields: boolean;
}

/** Returns a user as GET /users shows it, with profile fields when requested. */
export function toUserView(
  app: ChatApp,
  { realm, actingUser, options, getProfile }: Caller & {
    readonly options: UserViewOptions;
    /** Called for humans only, and only when the options include profile fields. */
    readonly getProfile: (userId: number) => ProfileData | undefined;
  },
  user: UserRecord,
) {
  const fields = toUser(user, {
    app,
    realm,
    viewer: actingUser,
    clientDrawsAvatars: options.client_gravatar,
  });
  if (!options.include_custom_profile_fields || isBot(user)) return fields;
  return { ...fields, profile_data: getProfile(user.id) ?? {} };
}
