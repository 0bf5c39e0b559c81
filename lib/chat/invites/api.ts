import { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import { MAX_DEFAULT_CHANNELS } from "@/lib/chat/channels/model/channel.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organizations/model.ts";
import {
  bool,
  described,
  exact,
  intChoice,
  json,
  optional,
  scalar,
  text,
  withDefault,
} from "@/lib/chat/params/param.ts";
import { type Caller, isOwner, ROLE, ROLES } from "@/lib/chat/users/model.ts";
import { createInviteToken, type InviteLinkRecord, type InviteOffer, type InviteRecord } from "./model.ts";
import { type ActiveInvite, readActiveInvites } from "./store.ts";

/** Maximum length of the welcome text, in code points. */
const MAX_WELCOME = 8000;
/** Maximum length of a list of addresses, in code points: most of the largest form. */
const MAX_ADDRESSES = 1_000_000;
/** Maximum number of groups of an invitation: an offer is one record of the store. */
const MAX_GROUPS = 500;
/** About 190 years, so that every expiry is a valid date. */
const MAX_MINUTES = 99_999_999;

const channelIds = described(
  json(z.array(z.int()).max(MAX_DEFAULT_CHANNELS)),
  "Ids of the channels to which new users are subscribed.",
);

const offerParams = {
  invite_expires_in_minutes: described(
    optional(scalar(z.int().min(-MAX_MINUTES).max(MAX_MINUTES).nullable())),
    "null for never, the operator's default if omitted. Zero or less creates an expired invitation.",
  ),
  invite_as: described(withDefault(intChoice(ROLES), ROLE.member), "Role of the new users."),
  group_ids: described(
    withDefault(json<readonly number[]>(z.array(z.int()).max(MAX_GROUPS)), []),
    "Ids of the user groups to which new users are added.",
  ),
  include_realm_default_subscriptions: withDefault(bool(), false),
  welcome_message_custom_text: described(
    optional(text({ max: MAX_WELCOME })),
    "Welcome message in Markdown, only from administrators. null for the organization's own, empty for none.",
  ),
};

export const createInvitesParams = {
  invitee_emails: described(
    exact(text({ max: MAX_ADDRESSES })),
    "Addresses, also with names as in `Ada <ada@example.com>`, separated by commas, semicolons or lines.",
  ),
  stream_ids: channelIds,
  ...offerParams,
  notify_referrer_on_join: withDefault(bool(), true),
};

export const createInviteLinkParams = {
  stream_ids: withDefault<readonly number[]>(channelIds, []),
  ...offerParams,
};

const inviteSchema = z.object({
  id: z.int().meta({ description: "Unique in combination with `is_multiuse`." }),
  invited_by_user_id: z.int(),
  invited: z.int().meta({ description: "Seconds since 1970 UTC." }),
  expiry_date: z.int().nullable().meta({ description: "Seconds since 1970 UTC; null for never." }),
  invited_as: z.int(),
  email: z.string().optional().meta({ description: "Only for the invitation of an address." }),
  notify_referrer_on_join: z.boolean(),
  link_url: z.string().optional().meta({ description: "Only for a reusable link." }),
  is_multiuse: z.boolean(),
}).meta({ id: "Invitation" });

export const invitesSchema = z.object({ invites: z.array(inviteSchema) });

export const createdInviteLinkSchema = z.object({ invite_link: z.string() });

/** Converts the invitation of an address to its API form. */
function toInvite({ id, email }: InviteRecord, offer: InviteOffer) {
  return { ...toCommonFields(id, offer), email, is_multiuse: false };
}

function toInviteLink(
  app: Pick<ChatApp, "config" | "secretKey">,
  realm: RealmRecord,
  { link, offer }: { link: InviteLinkRecord; offer: InviteOffer },
) {
  return { ...toCommonFields(link.id, offer), link_url: inviteLinkUrl(app, realm, link), is_multiuse: true };
}

export function inviteLinkUrl(app: UrlApp, realm: RealmRecord, link: InviteLinkRecord): string {
  return toUrl(app, realm, { kind: "link", ...link });
}

/** Returns the absolute URL by which the invitation of an address is accepted. */
export function inviteUrl(app: UrlApp, realm: RealmRecord, invite: InviteRecord): string {
  return toUrl(app, realm, { kind: "invite", ...invite });
}

type UrlApp = Pick<ChatApp, "config" | "secretKey">;

function toUrl(
  app: UrlApp,
  realm: RealmRecord,
  { kind, id, salt }: { readonly kind: "link" | "invite"; readonly id: number; readonly salt: string },
): string {
  return `${realmUrl(app, realm)}/join/${createInviteToken(app, { kind, realmId: realm.id, id, salt })}`;
}

function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

function toCommonFields(id: number, offer: InviteOffer) {
  return {
    id,
    invited_by_user_id: offer.inviter_id,
    invited: toSeconds(offer.created_at),
    expiry_date: offer.expires_at === null ? null : toSeconds(offer.expires_at),
    invited_as: offer.role,
    notify_referrer_on_join: offer.notify_referrer_on_join,
  };
}

/** Lists the active invitations and links that the caller may see; links for owners only to owners. */
export async function listInvites(app: ChatApp, caller: Caller) {
  const invites = await readActiveInvites(app, caller);
  return invites.filter((item) => canSeeUrl(caller, item)).map((item) =>
    item.kind === "email" ? toInvite(item.invite, item.offer) : toInviteLink(app, caller.realm, item)
  );
}

/** Only owners see the URL of a link for owners, with which any administrator could become one. */
function canSeeUrl({ actingUser }: Caller, { kind, offer }: ActiveInvite): boolean {
  return kind === "email" || offer.role !== ROLE.owner || isOwner(actingUser);
}
