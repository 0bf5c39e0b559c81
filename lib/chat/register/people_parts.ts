import { z } from "zod";
import { canAccessUser } from "../permissions/can_access_user.ts";
import { membersSchema } from "../accounts/schema.ts";
import { toAccount, toToldBot } from "../accounts/view.ts";
import { listProfileData } from "../profile_fields/values.ts";
import { mayInRealm } from "../permissions/membership.ts";
import { listUserGroups } from "../user_groups/list.ts";
import { userGroupSchema } from "../user_groups/schema.ts";
import { apiEmail } from "../users/email.ts";
import { isAdmin, isBot, isGuest, isOwner, ROLE } from "../users/user.ts";
import { avatarUrl } from "../users/view.ts";
import { part, type RegisterCall } from "./part.ts";

const accountsSchema = membersSchema.shape.members;

const ownSchema = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  avatar_url_medium: z.string().nullable(),
  avatar_source: z.string().meta({ description: "`U` for an uploaded picture, else `G`." }),
  is_admin: z.boolean().meta({ description: "True for owners also." }),
  is_owner: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  can_create_streams: z.boolean().meta({ deprecated: true }),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
});

const peopleSchema = ownSchema.extend({
  realm_users: accountsSchema.meta({ description: "Active accounts that you may know of, by id." }),
  realm_non_active_users: accountsSchema,
  cross_realm_bots: accountsSchema.meta({ description: "There are none." }),
});

/** The accounts that the caller may know of, and who the caller is. */
export const people = part("realm_user", peopleSchema, async (call) => {
  const { app, realm, permissions, user: actingUser } = call;
  const options = { client_gravatar: call.drawsAvatars, include_custom_profile_fields: true };
  const users = (await call.users()).filter((user) => canAccessUser(permissions, actingUser, user));
  const profiles = await listProfileData(app, realm.id);
  const viewer = { realm, actingUser, options, profileOf: (id: number) => profiles.get(id) };
  const toAccounts = (isActive: boolean) =>
    users.filter((user) => user.is_active === isActive)
      .map((user) => toAccount(app, viewer, user));
  return {
    ...toOwnFields(call),
    realm_users: toAccounts(true),
    realm_non_active_users: toAccounts(false),
    cross_realm_bots: [],
  };
});

function toOwnFields({ app, realm, permissions, user }: RegisterCall) {
  // One's own picture always comes with an address.
  const avatar = avatarUrl(user, { app, realm, viewer: user });
  const may = (setting: string) => mayInRealm(permissions, setting, user);
  const isPublic = may("can_create_public_channel_group");
  const isPrivate = may("can_create_private_channel_group");
  return {
    user_id: user.id,
    email: apiEmail(app, realm, user),
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    avatar_url: avatar,
    avatar_url_medium: avatar,
    avatar_source: user.avatar === null ? "G" : "U",
    is_admin: isAdmin(user),
    is_owner: isOwner(user),
    is_moderator: user.role === ROLE.moderator,
    is_guest: isGuest(user),
    can_create_streams: isPublic || isPrivate,
    can_create_public_streams: isPublic,
    can_create_private_streams: isPrivate,
    can_create_web_public_streams: may("can_create_web_public_channel_group"),
    can_subscribe_other_users: may("can_add_subscribers_group"),
    can_invite_others_to_realm: may("can_invite_users_group"),
  };
}

const botSchema = z.object({
  user_id: z.int(),
  full_name: z.string(),
  bot_type: z.int(),
  email: z.string(),
  is_active: z.boolean(),
  owner_id: z.int().nullable(),
  services: z.array(z.unknown()),
  avatar_url: z.string(),
  default_sending_stream: z.null(),
  default_events_register_stream: z.null(),
  default_all_public_streams: z.boolean(),
});

/** The bots that the caller is told of when they change: his own, and for administrators all. Their keys are apart. */
export const bots = part(
  "realm_bot",
  z.object({ realm_bots: z.array(botSchema) }),
  async ({ app, realm, user, users }) => {
    const all = (await users()).filter(isBot);
    const told = isAdmin(user) ? all : all.filter(({ bot_owner_id }) => bot_owner_id === user.id);
    return { realm_bots: told.map((bot) => toToldBot(app, realm, bot)) };
  },
);

/** The groups that there are, system groups among them. */
export const groups = part(
  "realm_user_groups",
  z.object({ realm_user_groups: z.array(userGroupSchema) }),
  async ({ app, realm, capabilities }) => ({
    realm_user_groups: await listUserGroups(app, realm, {
      includeDeactivated: capabilities.includes("include_deactivated_groups"),
    }),
  }),
);
