import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { InviteLinkRecord, InviteOffer, InviteRecord } from "./invite.ts";
import { inviteToken } from "./token.ts";

/** An invitation as the API shows it. */
export function toInvite({ id, email }: InviteRecord, offer: InviteOffer) {
  return { ...toCommon(id, offer), email, is_multiuse: false };
}

/** A reusable link as the API shows it. */
export function toLink(
  app: Pick<ChatApp, "config" | "secretKey">,
  realm: RealmRecord,
  { link, offer }: { link: InviteLinkRecord; offer: InviteOffer },
) {
  return { ...toCommon(link.id, offer), link_url: linkUrl(app, realm, link), is_multiuse: true };
}

/** The whole address of a reusable link. */
export function linkUrl(
  app: Pick<ChatApp, "config" | "secretKey">,
  realm: RealmRecord,
  { id, salt }: InviteLinkRecord,
): string {
  return `${realmUrl(app, realm)}/join/${inviteToken(app, { kind: "link", realmId: realm.id, id, salt })}`;
}

/** Whole seconds of a time in milliseconds. */
function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}

function toCommon(id: number, offer: InviteOffer) {
  return {
    id,
    invited_by_user_id: offer.inviter_id,
    invited: toSeconds(offer.created_at),
    expiry_date: offer.expires_at === null ? null : toSeconds(offer.expires_at),
    invited_as: offer.role,
    notify_referrer_on_join: offer.notify_referrer_on_join,
  };
}
